"""A cache that is bounded by the size of its values."""

from host.resilience.bounded_cache import BoundedCache


def cache_of(*sizes: int) -> tuple[BoundedCache[int], list[int | None]]:
    """After putting values of these sizes under 0, 1, 2 …, with room for 10."""
    cache = BoundedCache[int](10)
    for key, size in enumerate(sizes):
        cache.put(key, size, size)
    return cache, [cache.get(key) for key in range(len(sizes))]


def test_values_stay_while_there_is_room():
    assert cache_of(4, 6)[1] == [4, 6]


def test_a_value_without_room_drops_the_others():
    assert cache_of(4, 6, 1)[1] == [None, None, 1]


def test_a_value_larger_than_the_cache_is_not_kept():
    cache, found = cache_of(4, 11)
    assert (len(cache), found) == (0, [None, None])


def test_a_replaced_value_takes_no_room():
    cache, _ = cache_of(4)
    for _ in range(5):
        cache.put(0, 9, 9)
    cache.put(1, 1, 1)
    assert [cache.get(0), cache.get(1)] == [9, 1]
