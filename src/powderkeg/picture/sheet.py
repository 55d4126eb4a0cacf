"""A generated map with its slots filled, in one language and one theme."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from powderkeg.picture.ink import theme_style
from powderkeg.picture.svg import svg_group, svg_tag, translate_to

# Heraldic hatching, as engravers print colours without colour: lines and dots in fixed directions.
# Red is upright, blue level, sky broken, black crossed, green and purple aslant, gold dotted.
TINCTURES: Final[dict[str, tuple[str, float]]] = {
    "austria": ("M2 0v8", 4),
    "england": ("M0 2h8", 4),
    "france": ("M0 2h4M4 6h4", 8),
    "germany": ("M2 0v8M0 2h8", 5),
    "italy": ("M0 0L6 6", 6),
    "russia": ("M0 7L7 0", 7),
    "turkey": ("M1.6 2.2h.8M5.6 6.2h.8", 8),
    "blue": ("M0 2h8", 4),
    "orange": ("M1.6 2.2h.8M5.6 6.2h.8", 8),
    "green": ("M0 0L6 6", 6),
    "purple": ("M0 7L7 0", 7),
}


def tincture_pattern(owner: str) -> str:
    """The hatching of an owner, as a pattern `tincture-<owner>`."""
    lines, size = TINCTURES[owner]
    return svg_tag(
        "pattern",
        svg_tag("path", class_="tincture", d=lines),
        id=f"tincture-{owner}",
        class_=owner,
        width=size,
        height=size,
        patternUnits="userSpaceOnUse",
    )


def draw_washes(owners: Mapping[str, str]) -> list[str]:
    """Places in the colour and the hatching of their owners."""
    drawn = []
    for place, owner in sorted(owners.items()):
        drawn.append(svg_tag("use", href=f"#{place}", class_=f"wash {owner}"))
        drawn.append(svg_tag("use", href=f"#{place}", fill=f"url(#tincture-{owner})"))
    return drawn


def fill_map(
    base: str,
    slots: Mapping[str, Iterable[str]],
    *,
    lang: str,
    theme: str,
    defs: Iterable[str] = (),
    footer: str = "",
) -> str:
    """The map with things put in its slots, labels of other languages left out."""
    text = re.sub(rf'<g class="labels" lang="(?!{lang})..">.*?</g>\n', "", base, flags=re.DOTALL)
    text = re.sub(r'<text [^>]*class="label [a-z-]+ short".*?</text>\n?', "", text)
    text = re.sub(rf'<path id="arc-(?!{lang}-)..-[^>]*/>', "", text)
    for name, content in slots.items():
        empty = f'<g id="{name}" class="{name}"/>'
        text = text.replace(empty, svg_group(content, id=name, class_=name), 1)
    head = f"<style>{theme_style(theme)}</style><defs>" + "".join(defs)
    text = text.replace("<defs>", head, 1)
    return _with_footer(text, footer) if footer else text


FOOTER: Final = 34


def _with_footer(text: str, footer: str) -> str:
    """The map with room for a footer below the frame."""
    found = re.search(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', text)
    if not found:
        raise ValueError("not one of our maps")
    x, y, w, h = (float(n) for n in found.groups())
    text = text.replace(found[0], f'viewBox="{x:g} {y:g} {w:g} {h + FOOTER:g}"', 1)
    sheet = svg_tag("rect", class_="sheet", x=x, y=y + h - 1, width=w, height=FOOTER + 1.0)
    return text.replace(
        "</svg>", sheet + svg_group([footer], transform=translate_to((x, y + h))) + "</svg>"
    )
