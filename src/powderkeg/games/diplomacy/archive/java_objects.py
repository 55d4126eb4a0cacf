"""Objects of a Java program in XML, as the library JSX (Java Serialization to XML) writes them.

An element is an object, an array or collection, a text, a number, nothing, or a reference to an
element with an id. Fields have a name; what an array, a collection or a map holds has none.
"""

import re
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element, ParseError, fromstring

from powderkeg.core.errors import Unreadable

_START: Final = re.compile(r"\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<jsx\b", re.DOTALL)
_WRAPPERS: Final = frozenset({"declaredClass", "default"})  # parts of an object, class by class


def is_object_file(text: str) -> bool:
    """Whether a text is such a file."""
    return _START.match(text) is not None


class JavaObjects:
    """The objects of a file. Values are elements; a reference is followed wherever one stands."""

    def __init__(self, root: Element) -> None:
        self._root = root
        self._by_id = {each.attrib["id"]: each for each in root.iter() if "id" in each.attrib}

    def find_object(self, kind: str) -> Element | None:
        """The first object of a class."""
        return next((each for each in self._root.iter("object") if each.get("class") == kind), None)

    def field(self, owner: Element | None, *path: str) -> Element | None:
        """The value of a field, or of a field of a field; None if it is not there or null."""
        found = owner
        for name in path:
            found = self._own_field(found, name)
        return found

    def _own_field(self, owner: Element | None, name: str) -> Element | None:
        if owner is None:
            return None
        found = next((each for each in _object_parts(owner) if each.get("field") == name), None)
        return None if found is None else self._follow(found)

    def field_text(self, owner: Element | None, *path: str) -> str:
        """A text, number or truth value; empty if it is not there."""
        found = self.field(owner, *path)
        return "" if found is None else found.get("value", "")

    def list_items(self, owner: Element | None) -> list[Element | None]:
        """What an array or a collection holds."""
        if owner is None:
            return []
        return [self._follow(each) for each in _object_parts(owner) if "field" not in each.attrib]

    def map_items(self, owner: Element | None) -> Iterator[tuple[Element, Element]]:
        """Keys and values of a map, whose size and capacity stand before them as numbers."""
        listed = self.list_items(owner)
        while listed and listed[0] is not None and listed[0].tag == "primitive":
            del listed[0]
        for key, value in zip(listed[::2], listed[1::2], strict=False):
            if key is not None and value is not None:
                yield key, value

    def _follow(self, found: Element) -> Element | None:
        if found.tag == "reference":
            return self._by_id.get(found.get("idref", ""))
        return None if found.tag == "null" else found


def parse_objects(text: str) -> JavaObjects:
    """The objects of a file; one that declares entities, as no such program does, is refused."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise Unreadable("archive.not_a_saved_game")
    try:
        return JavaObjects(fromstring(text.removeprefix("\ufeff").lstrip()))  # noqa: S314  # no entities
    except ParseError as error:
        line, column = error.position
        raise Unreadable("archive.broken", line=line, column=column + 1) from None
    except ValueError:
        raise Unreadable("archive.not_a_saved_game") from None


def _object_parts(owner: Element) -> Iterator[Element]:
    for each in owner:
        if each.tag in _WRAPPERS:
            yield from _object_parts(each)
        else:
            yield each
