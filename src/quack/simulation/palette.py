"""Colours and dashes by which groups are told apart, the same in every figure, on paper and on a dark screen."""

__all__ = ["DARK", "LIGHT", "dash", "dash_lengths"]

# Okabe and Ito's palette, which colour-blind readers can tell apart, and the same hues lightened for a dark ground.
LIGHT = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DARK = ("#4C9FDB", "#F0803C", "#2BC49A", "#E5A3C9", "#F2BE45", "#A9DBF8", "#F2F2F2")

# Line and gap in widths of the line; each group has its own, for print in grey.
_DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (4, 1.6),
    (6, 1.6, 1, 1.6),
    (1, 1.6),
    (5, 1, 1, 1),
    (3, 1, 1, 1, 1, 1),
    (2, 2),
)


def dash_lengths(place: int) -> tuple[float, ...]:
    """Return line, gap, line, gap … of the group at a place, in widths of its line; empty if it is solid."""
    return _DASHES[(place + place // len(LIGHT)) % len(_DASHES)]  # 49 pairs of colour and dash


def dash(place: int) -> str | tuple[int, tuple[float, ...]]:
    """Return the same as matplotlib calls it."""
    lengths = dash_lengths(place)
    return (0, lengths) if lengths else "-"
