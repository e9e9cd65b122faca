"""A small benchmark that several tests share."""

QUESTIONS = [
    f"{name} packs {10 + 3 * at} {thing} into {2 + at % 7} boxes on Monday, and on the day of the fair {name} finds "
    f"{21 + at} more in the shed; how many {thing} does {name} pack in all?"
    for at, (name, thing) in enumerate(
        (name, thing)
        for name in ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
        for thing in ("figs", "pears", "nuts", "plums", "beets", "leeks", "limes", "dates", "kiwis", "melons")
    )
]
