"""Drops data that the OpenAPI document calls valid and the service refuses, by rules that JSON Schema cannot express. The
description of the field contains each rule, and text-rules.unit.test.ts or rest-router.int.test.ts tests the rule. The service
must accept all other valid data. Data that violate the document are never dropped.
"""

import random
import unicodedata

import schemathesis
from schemathesis import GenerationMode

# [D18] The API refuses the fields of version 1 by name. If the schema forbade them, they would appear in every generated type.
REMOVED_FIELDS = {"recipientEmail", "recipientName", "businessName", "autoSign"}
CONTENT_BYTES_MAX = 51_200
# [D14] Marks and letters without a visible shape that the pattern of the schema does not cover.
SHAPELESS = {
    *range(0x034F, 0x0350),
    *range(0x115F, 0x1161),
    *range(0x17B4, 0x17B6),
    *range(0x180B, 0x1810),
    *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),
    *(0x2800, 0x3164, 0xFFA0, 0xFFFC),
}


def is_name(text: str) -> bool:
    """[D14] Has a visible character, none that is hidden, no encoded word. Portable regular expressions have no Unicode classes."""
    categories = {unicodedata.category(character) for character in text}
    return (
        any(category[0] in "LNPS" for category in categories)
        and not categories & {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
        and not any(ord(character) in SHAPELESS for character in text)
        and "=?" not in text
    )


def is_display_name(text: str) -> bool:
    """[D14] Imitates neither an email address, nor a web address, nor the brand, in any letter form."""
    read = unicodedata.normalize("NFKC", text).casefold()
    return is_name(text) and not any(part in read for part in ("@", ".", "\u3002", "://", "dot", "mailto", "via", "araph"))


def holds_nul(value: object) -> bool:
    """[D14] The service refuses NUL anywhere, even in unknown fields."""
    if isinstance(value, str):
        return "\x00" in value
    if isinstance(value, dict):
        return any(holds_nul(key) or holds_nul(inner) for key, inner in value.items())
    return isinstance(value, list) and any(holds_nul(inner) for inner in value)


def identity(party: dict) -> tuple:
    """[D12] The service refuses two parties with the same role, name and mailbox, whatever their other fields."""
    return (party["role"].strip(), party["legalName"].strip(), party["email"].casefold())


def is_acceptable(body: dict) -> bool:
    parties = body["parties"]
    return (
        not REMOVED_FIELDS & body.keys()
        and not holds_nul(body)
        and all(is_name(party["role"]) and is_name(party["legalName"]) for party in parties)
        and len({identity(party) for party in parties}) == len(parties)
        and ("senderName" not in body or is_display_name(body["senderName"]))
        # [D7] The limit is in bytes of UTF-8; a schema counts characters.
        and len(body["content"].encode()) <= CONTENT_BYTES_MAX
    )


@schemathesis.hook
def filter_case(context, case) -> bool:
    is_positive = case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE
    if not is_positive or not isinstance(case.body, dict):
        return True
    return is_acceptable(case.body)


@schemathesis.hook
def before_call(context, case, kwargs) -> None:
    """[D9] Gives each request its own address. From one address, cases without a key would exceed the limit: 429 instead of 401."""
    address = ".".join(str(random.randint(1, 254)) for _ in range(4))
    if case.headers is None:
        case.headers = {}
    case.headers["X-Forwarded-For"] = address
