"""Make both maps again, or say what is wrong with them."""

import sys

from tools.mapmaker.build import MAPS, build, write


def main() -> None:
    for name in sys.argv[1:] or MAPS:
        made = build(name)
        if made.wrong:
            sys.exit("\n".join([f"{name}: the drawing does not fit the game", *made.wrong]))
        write(made)
        print(
            f"{name}: {len(made.svg) // 1000} kB of map, {len(made.anchors) // 1000} kB of anchors"
        )


main()
