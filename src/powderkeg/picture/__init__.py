"""From SVG to PNG, with the package's own fonts (needs the extra `draw`)."""

from importlib.resources import as_file, files

FONTS = ("AlegreyaSC-Medium.ttf", "AlegreyaSC-MediumItalic.ttf", "AlegreyaSC-Bold.ttf")


def render_png(svg: str, width: int = 1200) -> bytes:
    """The picture as PNG, `width` pixels wide."""
    import resvg_py

    with as_file(files("powderkeg") / "fonts") as folder:
        return resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=[str(folder / name) for name in FONTS],
            serif_family="Alegreya SC",
        )
