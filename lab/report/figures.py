# SPDX-License-Identifier: GPL-2.0
"""Figures as SVG, drawn by gnuplot from lists of numbers.

Each figure is a description (Bars, Lines, Traces) and knows nothing of scenarios. Colours are written as
the light page's; the page's style sheet exchanges them when the reader's device is dark (page.py).
"""

import re
import subprocess
from dataclasses import dataclass, field

# A phone shows the whole width at about 360 points: fonts are large for the canvas.
WIDTH, HEIGHT, FONT = 520, 340, 15

INK, FAINT = "#1f2328", "#d0d7de"
# Scheme -> colour; one scheme has the same colour in all figures. Told apart with any colour vision.
COLOURS = {
    "ecnsharp": "#0a66c2",
    "red-tail": "#b45309",
    "red-avg": "#6f7782",
    "codel": "#8a3ffc",
    "tcn": "#0f766e",
    "pst-only": "#be185d",
}
# Of hosts. They stand in no figure with those, so the same six serve.
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
    """Of one of the series of a figure."""
    taken = {COLOURS.get(other) for other in series}
    free = [other for other in OTHERS if other not in taken]
    return COLOURS.get(name) or free[[other for other in series if other not in COLOURS].index(name) % len(free)]


def label(name):
    """How a reader is told of a series."""
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
    return f"""set terminal svg size {WIDTH},{height} font 'sans-serif,{FONT}' noenhanced name '{figure.name.replace('-', '_')}'
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


def _tidy(svg, figure):
    """A fragment that can stand in a page: no prolog, unique ids, scaled by the page."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<title>.*?</title>|<desc>.*?</desc>", "", svg, flags=re.S)
    svg = re.sub(r'\b(id=["\'])', rf"\1{figure.name}-", svg)
    svg = re.sub(r'(xlink:)?href=(["\'])#', rf"href=\2#{figure.name}-", svg)
    svg = re.sub(r"url\(#", f"url(#{figure.name}-", svg)
    svg = re.sub(r"<svg[^>]*?viewBox=([\"'])([^\"']*)\1[^>]*>", r'<svg viewBox="\2" role="img">', svg, flags=re.S)
    # One spelling of a colour, so that the page's style sheet can name it.
    svg = re.sub(r"rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)", lambda m: f"#{int(m[1]):02x}{int(m[2]):02x}{int(m[3]):02x}", svg)
    return re.sub(r"\n\s*\n+", "\n", svg)


def draw(figure):
    """The figure as an SVG element."""
    script = {Bars: _bars, Lines: _lines, Traces: _traces}[type(figure)](figure)
    done = subprocess.run(["gnuplot", "-d"], input=script, capture_output=True, text=True, check=False)
    if done.returncode or "<svg" not in done.stdout:
        raise FigureFailed(f"gnuplot, figure {figure.name}: {done.stderr.strip()[-1500:]}")
    return _tidy(done.stdout, figure)
