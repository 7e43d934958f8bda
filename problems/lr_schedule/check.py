"""The same rates by exact fractions; the cosine from its series, to 60 digits."""

from fractions import Fraction

PI = Fraction(31415926535897932384626433832795028841971693993751058209749445923, 10**64)
SMALL = Fraction(1, 10**60)


def check(steps, peak, floor, warmup, total, first=0, shape="linear"):
    """Outputs of the core from rational arithmetic; each rate is rounded to float64 once."""
    top, bottom = Fraction(peak), Fraction(floor)
    rates = []
    for step in steps:
        count = step + first
        if count <= warmup and warmup > 0:
            rates.append(float(top * count / warmup))
            continue
        gone = min(Fraction(1), Fraction(count - warmup, max(1, total - warmup)))
        share = 1 - gone if shape == "linear" else (1 + cosine(PI * gone)) / 2
        rates.append(float(bottom + (top - bottom) * share))
    return {"rates": rates}


def cosine(angle):
    """cos by its series, up to the first term below 1e-60; for angles between 0 and pi.

    Exactly -1 at the end: a remainder of 1e-60 would be infinitely more than a floor of zero.
    """
    if angle == PI:
        return Fraction(-1)
    square = Fraction(round(angle * angle * 10**70), 10**70)
    term, total, n = Fraction(1), Fraction(1), 0
    while abs(term) > SMALL:
        n += 2
        # Cut to 70 digits: exact fractions would double in length with every term.
        term = Fraction(round(-term * square / (n * (n - 1)) * 10**70), 10**70)
        total += term
    return total
