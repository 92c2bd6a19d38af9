"""Benchmarks: ratios of things that run side by side in one process, stored with machine and versions."""
