"""The folder that the clients read: difficult names, difficult contents, and some files that must not be served."""

import base64
from pathlib import Path

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)
EVERY_BYTE = bytes(range(256))
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><title>"é" &amp; 日本</title></svg>\n'

NAMES = [
    "README.md",
    "getting-started.md",
    "long form.markdown",
    "~tilde_under-dash.dots..md",
    "two  spaces .txt",
    "café.md",
    "decomposed-e\u0301.md",
    "日本.txt",
    "emoji-🌾.md",
    "あ" * 60 + ".md",
    "#hash.md",
    "100%.txt",
    "looks%20escaped%2Fbut-is-not.md",
    "what?.md",
    "a+b.md",
    "\"double\" and 'single'.md",
    "a&b=c;d,e@f:g!$(h)*.txt",
    "[brackets]{braces}|^`<>.md",
    "-starts-with-dash.md",
    "name.md",
    "name/name.md",
    "folder.md/inside.md",
    "nested/deeper/still deeper/leaf.md",
    "日本/語 #1/naïve?.md",
]
NOT_SERVED = ["data.json", "main.rs", "without-extension", "notes.md.bak", "nested/program.exe", "md"]


def write_corpus(root: Path) -> None:
    for name in NAMES:
        write(root, name, f"# {name}\n\nThe file `{name}`.\n".encode())
    for name in NOT_SERVED:
        write(root, name, b"must not be served\n")
    for name in ["empty.md", "empty.txt", "empty.png"]:
        write(root, name, b"")
    write(root, "no-final-newline.txt", b"first\nlast")
    write(root, "crlf.md", b"one\r\ntwo\r\rthree\n\n\r\n")
    write(root, "byte-order-mark.txt", "\ufeffafter the mark\n".encode())
    write(root, "escapes.txt", escapes(1_000_000).encode())
    write(root, "images/pixel.png", PNG)
    write(root, "images/photo é.jpg", b"\xff\xd8\xff\xe0" + EVERY_BYTE)
    write(root, "images/photo.jpeg", b"\xff\xd8\xff\xe0" + EVERY_BYTE + b"\0")
    write(root, "images/loop.gif", b"GIF89a" + EVERY_BYTE[::-1])
    write(root, "images/large.webp", b"RIFF" + EVERY_BYTE * 1000 + b"\0\0")
    write(root, "images/drawing.svg", SVG.encode())


def escapes(size: int) -> str:
    """At least `size` bytes of whatever a JSON writer or reader may get wrong, at every alignment to a word."""
    controls = "".join(map(chr, range(0x20))) + "\x7f\x80\x9f"
    awkward = "\\\"'/\\\\\"\"\\u0041\\n</script>&<>\r\n\u2028\u2029\ufeff\ufffd\uffff\U0010ffff🌾👩‍🌾é\u0301日本"
    parts = []
    length = 0
    while length < size:
        part = "plain text " + "x" * (len(parts) % 37) + (controls if len(parts) % 8 == 0 else "") + awkward + "\n"
        parts.append(part)
        length += len(part.encode())
    return "".join(parts)


def write(root: Path, name: str, content: bytes) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
