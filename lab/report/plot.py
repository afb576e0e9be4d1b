# SPDX-License-Identifier: GPL-2.0
"""Figures as SVG, drawn by gnuplot from lists of numbers.

Each figure is a description (Bars, Lines, Traces) and knows nothing of scenarios. Colours are written as
the light page's; the page's style sheet exchanges them when the reader's device is dark (page.py).
"""

import html
import math
import re
import subprocess
import xml.etree.ElementTree
from dataclasses import dataclass, field

# A phone shows the whole width at about 360 points: fonts are large for the canvas.
WIDTH, HEIGHT, FONT = 520, 340, 15

INK, FAINT = "#1f2328", "#d0d7de"
# Scheme -> colour; one scheme has the same colour in all figures. Distinguishable with any colour vision.
COLOURS = {
    "ecnsharp": "#0a66c2",
    "red-tail": "#b45309",
    "red-avg": "#6f7782",
    "codel": "#8a3ffc",
    "tcn": "#0f766e",
    "pst-only": "#be185d",
}
# Colours of hosts. They are in no figure with those above, so the same six serve.
COLOURS.update({"onramp": COLOURS["ecnsharp"], "strawman": COLOURS["red-tail"], "fq": COLOURS["red-avg"], "fq_codel": COLOURS["codel"],
                "final": COLOURS["tcn"], "off": COLOURS["pst-only"]})
LABELS = {
    "ecnsharp": "ECN#", "red-tail": "RED-Tail", "red-avg": "RED-AVG", "codel": "CoDel", "tcn": "TCN",
    "pst-only": "persistent only",
    "onramp": "On-Ramp", "strawman": "law strawman", "final": "law final", "off": "mode off", "nic_comp": "On-Ramp, nic_comp on",
}
# For lines that are not schemes, in their order.
OTHERS = tuple(dict.fromkeys(COLOURS.values()))


def colour(series, name):
    """Colour of one of the series of a figure."""
    taken = {COLOURS.get(other) for other in series}
    free = [other for other in OTHERS if other not in taken]
    return COLOURS.get(name) or free[[other for other in series if other not in COLOURS].index(name) % len(free)]


def label(name):
    """How a series is labelled."""
    return LABELS.get(name, name)


class FigureFailed(Exception):
    """gnuplot refused a figure, or there is nothing to draw; the text says which."""


@dataclass(frozen=True)
class Bars:
    """Groups of bars; points for the paper's values where it prints them."""

    name: str
    ylabel: str
    groups: list            # titles along x
    series: dict            # scheme -> values, one a group
    paper: list = field(default_factory=list)   # (scheme, group number, value)
    line: float | None = None                   # a horizontal line
    line_label: str = ""
    top: float | None = None                    # of the axis, at least


@dataclass(frozen=True)
class Lines:
    """y over x, a line a scheme."""

    name: str
    xlabel: str
    ylabel: str
    series: dict            # scheme -> [(x, y), ...]
    marked: dict = field(default_factory=dict)  # scheme -> [(x, y), ...] drawn with a cross
    marked_label: str = ""
    verticals: list = field(default_factory=list)   # (x, label, scheme): the paper's
    line: float | None = None                       # a horizontal line
    line_label: str = ""


@dataclass(frozen=True)
class Traces:
    """One panel a scheme below another, all on the same axes."""

    name: str
    xlabel: str
    ylabel: str
    series: dict            # scheme -> [(x, y), ...]
    levels: dict = field(default_factory=dict)  # scheme -> (y, label): the paper's
    top: float = 0
    xrange: tuple = ()


def _quote(text):
    """A gnuplot string without escapes or enhanced markup."""
    return "'" + text.replace("'", "''") + "'"


def _block(name, rows):
    for row in rows:
        for value in row:
            if value is None:
                raise FigureFailed(f"{name}: a value is missing")
    return f"${name} << EOD\n" + "\n".join(" ".join(f"{value:.6g}" for value in row) for row in rows) + "\nEOD\n"


def _head(figure, height):
    return f"""set terminal svg size {WIDTH},{height} font 'sans-serif,{FONT}' noenhanced
set border 3 lc rgb '{INK}'
set tics nomirror textcolor rgb '{INK}'
set grid ytics lc rgb '{FAINT}' lt 1 lw 1
set key tmargin left horizontal reverse Left samplen 1.5 width 1 font ',{FONT - 2}' textcolor rgb '{INK}' noenhanced
set ylabel {_quote(figure.ylabel)} textcolor rgb '{INK}'
"""


def _level(figure):
    """The horizontal line that the others are read against."""
    return f"{figure.line} with lines lc rgb '{INK}' dt 3 title {_quote(figure.line_label)}"


def _three(value):
    """A number above its bar, of three digits, that does not reach over the next."""
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


def _above(value, top, others):
    """Where the number of a bar stands: on the bar, or on what would be drawn through it: others, from and to."""
    for low, high in sorted(others):
        if low <= value + 0.09 * top and value <= high:
            value = high
    return value


def _bars(figure):
    schemes = list(figure.series)
    width = 0.8 / len(schemes)
    script = _head(figure, HEIGHT)
    tics = ", ".join(f"{_quote(title)} {index}" for index, title in enumerate(figure.groups))
    peak = max(value for values in figure.series.values() for value in values if value is not None)
    peak = max([peak, figure.line or 0] + [value for _, _, value in figure.paper])
    script += f"set xtics ({tics}) scale 0\nset xrange [-0.55:{len(figure.groups) - 0.45}]\n"
    script += f"set boxwidth {width * 0.86:.4f}\nset style fill solid 1 noborder\n"
    top = max(figure.top or 0, peak * 1.1)      # the highest bar's number is above it
    script += f"set yrange [0:{top:.6g}]\n"
    plots = []
    half = 0.045 * top          # of a point
    lines = [] if figure.line is None else [(figure.line, figure.line)]
    for number, scheme in enumerate(schemes):
        offset = (number - (len(schemes) - 1) / 2) * width
        script += _block(f"bars{number}", [(group + offset, value) for group, value in
                                           enumerate(figure.series[scheme]) if value is not None])
        plots.append(f"$bars{number} with boxes lc rgb '{colour(figure.series, scheme)}' "
                     f"title {_quote(label(scheme))}")
        for group, value in enumerate(figure.series[scheme]):
            if value is not None:
                at = _above(value, top, lines + [(paper - half, paper + half) for whose, where, paper in figure.paper
                                                 if (whose, where) == (scheme, group)])
                script += (f"set label '{_three(value)}' at {group + offset:.4f},{at:.6g} center offset 0,0.5 "
                           f"font ',{FONT - 5}' textcolor rgb '{INK}'\n")
    if figure.line is not None:
        plots.append(_level(figure))
    if figure.paper:
        script += _block("paper", [(group + (schemes.index(scheme) - (len(schemes) - 1) / 2) * width, value)
                                   for scheme, group, value in figure.paper])
        plots.append(f"$paper with points pt 12 ps 1.5 lw 2.5 lc rgb '{INK}' title 'paper'")
    return script + "plot " + ", \\\n ".join(plots) + "\n"


def _lines(figure):
    script = _head(figure, HEIGHT)
    script += f"set xlabel {_quote(figure.xlabel)} textcolor rgb '{INK}'\n"
    values = [figure.line or 0] + [y for points in figure.series.values() for _, y in points]
    script += f"set yrange [0:{max(values) * (1.3 if figure.verticals else 1.05):.6g}]\n"
    plots = []
    for number, (scheme, points) in enumerate(figure.series.items()):
        script += _block(f"line{number}", points)
        plots.append(f"$line{number} with linespoints pt 7 ps 0.6 lw 2.5 lc rgb '{colour(figure.series, scheme)}' "
                     f"title {_quote(label(scheme))}")
    if figure.line is not None:
        plots.append(_level(figure))
    crosses = [(x, y) for points in figure.marked.values() for x, y in points]
    if crosses:
        script += _block("crosses", crosses)
        plots.append(f"$crosses with points pt 2 ps 1.2 lw 2.5 lc rgb '{INK}' title {_quote(figure.marked_label)}")
    for number, (x, text, scheme) in enumerate(figure.verticals):
        height = 0.98 - 0.09 * number
        script += f"set arrow from {x},graph 0 to {x},graph {height} nohead lc rgb '{COLOURS[scheme]}' dt 3 lw 2\n"
        script += (f"set label {_quote(text)} at {x},graph {height} right offset -0.5,-0.3 "
                   f"font ',{FONT - 3}' textcolor rgb '{COLOURS[scheme]}'\n")
    return script + "plot " + ", \\\n ".join(plots) + "\n"


def _traces(figure):
    panel = 165
    count = len(figure.series)
    height = panel * count + 76
    script = _head(figure, height)
    script += f"set yrange [0:{figure.top:.6g}]\nset xrange [{figure.xrange[0]}:{figure.xrange[1]}]\n"
    script += "set multiplot\nset lmargin 9\nset rmargin 2\nset bmargin 0\nset tmargin 0\nset format x ''\n"
    for number, (scheme, points) in enumerate(figure.series.items()):
        script += _block(f"trace{number}", points)
        low = (70 + panel * (count - 1 - number)) / height
        script += f"set size 1,{(panel - 34) / height:.5f}\nset origin 0,{low:.5f}\n"
        script += (f"set label 1 {_quote(label(scheme))} at graph 0.02,graph 1.15 left "
                   f"textcolor rgb '{colour(figure.series, scheme)}'\n")
        if number == count - 1:
            script += f"set format x '%g'\nset xlabel {_quote(figure.xlabel)} textcolor rgb '{INK}'\n"
        plot = f"$trace{number} with filledcurves y1=0 lc rgb '{colour(figure.series, scheme)}' notitle"
        if scheme in figure.levels:
            level, text = figure.levels[scheme]
            script += "set key at graph 1,graph 1.26 right top\n"
            plot += f", {level} with lines lc rgb '{INK}' dt 3 lw 2 title {_quote(text)}"
        script += f"plot {plot}\n"
    return script + "unset multiplot\n"


# gnuplot's marks, by the end of their names, as path data around a point: (data from the scale, width of the line, whether it has round ends).
_MARKS = {
    "gpPt1": (lambda s: f"m{_short(-s)},{_short(-s)}l{_short(2 * s)},{_short(2 * s)}m0,{_short(-2 * s)}l{_short(-2 * s)},{_short(2 * s)}", 0.178, False),
    "gpPt6": (lambda s: "h0", 2, True),
    "gpPt11": (lambda s: (lambda r: f"m{r},0l-{r},{r}l-{r},-{r}l{r},-{r}z")(_short(s * 2 ** 0.5)), 0.178, False),
}

# Distance that a point may have from the line that is drawn without it, in units of the canvas, of which a phone shows two in a point.
THIN = 0.25


def _short(number):
    """One decimal, if it is none."""
    return f"{round(number, 1) + 0:g}"


def _thin(points):
    """The points without which a line would be another (Douglas and Peucker)."""
    if len(points) < 3:
        return points
    (x, y), (dx, dy) = points[0], (points[-1][0] - points[0][0], points[-1][1] - points[0][1])
    length = math.hypot(dx, dy)
    away = [abs((px - x) * dy - (py - y) * dx) / length if length else math.hypot(px - x, py - y) for px, py in points]
    far = max(range(len(points)), key=away.__getitem__)
    if away[far] <= THIN:
        return [points[0], points[-1]]
    return _thin(points[:far + 1])[:-1] + _thin(points[far:])


def _line(text):
    """A polyline of gnuplot's, "x,y x,y ..." with or without letters, as path data; nothing of a point alone."""
    points = _thin([tuple(map(float, pair.split(","))) for pair in text.replace("L", "").split()])
    return "M" + " ".join(f"{_short(x)},{_short(y)}" for x, y in points) if len(points) > 1 else ""


def _tag(element):
    return element.tag.rpartition("}")[2]


def _shape(element, width):
    """(attributes of a path, its data) of something that gnuplot draws."""
    if _tag(element) == "polygon":
        return f'fill="{element.get("fill")}"', _line(element.get("points")) + "z"
    if _tag(element) == "use":
        name = next(value for key, value in element.items() if key.endswith("href")).lstrip("#")
        x, y, scale = map(float, re.findall(r"-?[\d.]+", element.get("transform")))
        around, line, ends = _MARKS[name]
        return (f'stroke="{element.get("color")}" stroke-width="{_short(line * scale)}"' + (' stroke-linecap="round"' if ends else ""),
                f"M{_short(x)},{_short(y)}{around(scale)}")
    dash = f' stroke-dasharray="{element.get("stroke-dasharray")}"' if element.get("stroke-dasharray") else ""
    return (f'stroke="{element.get("stroke")}" stroke-width="{float(width):g}"{dash}',
            "".join(map(_line, element.get("d").split("M"))))


def _text(group):
    """(attributes of a group, the text's element) of a text, which gnuplot has in a group of its own."""
    x, y, *turned = re.findall(r"-?[\d.]+", group.get("transform"))
    x, y = _short(float(x)), _short(float(y))
    place = f'transform="translate({x},{y})rotate({turned[0]})"' if turned else f'x="{x}" y="{y}"'
    return (f'fill="{group.get("fill")}" font-size="{float(group.get("font-size")):g}" text-anchor="{group.get("text-anchor")}"',
            f"<text {place}>{html.escape(group[0].text.strip())}</text>")


def _parts(element, width="1"):
    """(whether it is a text, attributes, path data or element) of all that is drawn, in its order."""
    for part in element:
        if _tag(part) == "g" and part.get("text-anchor"):
            if part[0].text:
                yield True, *_text(part)
        elif _tag(part) == "g":
            yield from _parts(part, part.get("stroke-width", width))
        elif _tag(part) in ("path", "polygon", "use"):
            yield False, *_shape(part, width)


def _lean(svg):
    """A fragment that can stand in a page, scaled by it: what looks alike is one path, or one group of texts."""
    # One spelling of a colour, so that the page's style sheet can name it.
    root = xml.etree.ElementTree.fromstring(re.sub(
        r"rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)", lambda m: f"#{int(m[1]):02x}{int(m[2]):02x}{int(m[3]):02x}", svg[svg.index("<svg"):]))
    alike = {}
    for of_text, attributes, data in _parts(root):
        alike.setdefault((of_text, attributes), []).append(data)
    lines = [f"<g {attributes}>{''.join(data)}</g>" if of_text else f'<path {attributes} d="{"".join(data)}"/>'
             for (of_text, attributes), data in sorted(alike.items(), key=lambda item: item[0][0])]
    return "\n".join([f'<svg viewBox="{root.get("viewBox")}" role="img" fill="none" font-family="sans-serif">', *lines, "</svg>"])


def draw(figure):
    """The figure as an SVG element."""
    script = {Bars: _bars, Lines: _lines, Traces: _traces}[type(figure)](figure)
    done = subprocess.run(["gnuplot", "-d"], input=script, capture_output=True, text=True, check=False)
    if done.returncode or "<svg" not in done.stdout:
        raise FigureFailed(f"gnuplot, figure {figure.name}: {done.stderr.strip()[-1500:]}")
    return _lean(done.stdout)
