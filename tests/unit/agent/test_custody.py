"""Custody: nothing is lost, nothing is doubled, the order is that of versions."""

from hypothesis import given
from hypothesis import strategies as st

from quack.agent.custody import Custody, covers, to_cover
from quack.agent.identities import Reward
from quack.agent.rules import Rules

rewards = st.lists(
    st.builds(
        Reward,
        st.integers(0, 2),
        st.integers(1, 2),
        st.integers(0, 9),
        st.tuples(st.tuples(st.integers(0, 2), st.just(0), st.just(1)), st.integers(0, 2)),
        st.integers(0, 1),
        st.just(0.5),
    ),
    max_size=12,
    unique_by=lambda reward: reward[:3],
)


def is_causal(held):
    """Oldest version first; of one version, each life's serials ascend."""
    versions = [reward.version for reward in held]
    keys = [(reward.version, reward.node, reward.boot) for reward in held]
    serials = {key: [reward.serial for reward, other in zip(held, keys, strict=True) if other == key] for key in keys}
    return versions == sorted(versions) and all(numbers == sorted(numbers) for numbers in serials.values())


@given(rewards, rewards)
def test_merging_is_a_union_in_causal_order(first, second):
    custody = Custody(0, Rules())
    custody.merge(first)
    custody.sent = len(custody) // 2
    custody.merge(second)
    assert is_causal(custody.rewards)
    assert {reward[:3] for reward in custody.rewards} == {reward[:3] for reward in first + second} == custody.ids
    assert len(custody) == len(custody.ids)
    assert custody.own == sum(reward.node == 0 for reward in custody.rewards)
    assert custody.sent == 0, "what is under way is sent again"


@given(rewards)
def test_adding_keeps_the_order_of_versions(added):
    custody = Custody(0, Rules())
    for reward in added:
        before = custody.rewards[: custody.sent]
        custody.add(reward)
        assert custody.rewards[: custody.sent] == before[: custody.sent], "what is under way is where it was"
        custody.sent = len(custody)
    versions = [reward.version for reward in custody.rewards]
    assert versions == sorted(versions)


@given(rewards, st.data())
def test_dropping_lets_go_of_exactly_what_is_covered(held, data):
    custody = Custody(0, Rules())
    custody.merge(held)
    order = list(custody.rewards)
    custody.sent = sent = data.draw(st.integers(0, len(order)))
    gone = data.draw(st.sets(st.sampled_from(order))) if order else set()
    dropped = custody.drop(to_cover(reward[:3] for reward in gone), stride=100)
    assert set(dropped) == gone
    assert custody.rewards == [reward for reward in order if reward not in gone]
    assert custody.sent == sum(reward not in gone for reward in order[:sent])
    assert custody.ids == {reward[:3] for reward in custody.rewards}
    assert custody.own == sum(reward.node == 0 for reward in custody.rewards)


@given(rewards, st.integers(1, 5))
def test_batches_are_all_of_custody_each_behind_the_one_before(held, most):
    custody = Custody(0, Rules())
    custody.merge(held)
    order, seen, last = list(custody.rewards), [], None
    while custody.rewards:
        after, batch = custody.next_batch(most)
        assert after is None, "everything before it was acknowledged"
        assert 1 <= len(batch) <= most
        custody.sent += len(batch)
        assert custody.next_batch(most)[1] == (), "no more is under way than may be"
        assert custody.next_batch(most + 1)[0] == batch[-1][:3]
        custody.drop(to_cover(reward[:3] for reward in batch), stride=1)
        seen += batch
        last = batch[-1]
    assert seen == order
    assert last == (order[-1] if order else None)


@given(st.sets(st.tuples(st.integers(0, 2), st.integers(1, 2), st.integers(0, 20))))
def test_a_cover_is_a_set_of_ids(ids):
    sets = covers(to_cover(ids))
    assert {(*stream, serial) for stream, serials in sets.items() for serial in range(22) if serial in serials} == ids
