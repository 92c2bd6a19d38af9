"""Settings of all tests."""

import os

import hypothesis

# No deadline: a slow machine is not a wrong answer. On a build server the same examples every time, to repeat a failure.
hypothesis.settings.register_profile("quack", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("quack")
