import type { OpenApiDocument } from "@/lib/domain/api/open-api";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { choicesOf, MAX_ENUM, nameOf, OPEN_ENUMS, plainTypesOf, usedSchemas } from "@/testing/sdk/document-schemas";

const HEAD = `# Generated from the OpenAPI document by sdk/api-types.test.ts. Do not edit.
# To update it: npx vitest run --project unit sdk/api-types -u
"""The objects of the Stablegate API, as dictionaries."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
`;

/** Returns the Python source of the types of the merchant API. Only schemas that its operations use are included. */
export function pythonTypes(document: OpenApiDocument): string {
  return [HEAD, ...usedSchemas(document).map(({ name, schema }) => declaration(name, schema))].join("\n\n");
}

function declaration(name: string, schema: Schema): string {
  const doc = schema.description ?? "";
  if (OPEN_ENUMS.includes(name)) return alias(name, "str", doc);
  if (!schema.properties) return alias(name, typeOf(schema), doc);
  const nested: string[] = [];
  const members = Object.entries(schema.properties).map(([member, value]): Member => {
    const isRequired = schema.required?.includes(member) ?? false;
    const type = typeOf(value, (inner) => {
      const innerName = `${name}${member.charAt(0).toUpperCase()}${member.slice(1).replace(/s$/, "")}`;
      nested.push(declaration(innerName, inner));
      return innerName;
    });
    return { name: member, type: isRequired ? type : `NotRequired[${type}]`, doc: value.description ?? "" };
  });
  const write = members.some((member) => KEYWORDS.has(member.name)) ? functional : classOf;
  return [...nested, write(name, doc, members)].join("\n\n");
}

interface Member {
  name: string;
  type: string;
  doc: string;
}

/** The keywords of Python, which a class cannot have as names of fields. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

function classOf(name: string, doc: string, members: readonly Member[]): string {
  const body = members.map((member) => `    ${member.name}: ${member.type}\n${docString(member.doc)}`).join("");
  return `class ${name}(TypedDict):\n${docString(doc)}${doc ? "\n" : ""}${body || "    pass\n"}`;
}

/** Writes the form of a dictionary type whose names can be keywords. */
function functional(name: string, doc: string, members: readonly Member[]): string {
  const comment = (text: string, indent: string) => (text ? `${indent}# ${text.replaceAll("\n", " ")}\n` : "");
  const fields = members.map(
    (member) => `${comment(member.doc, "    ")}    ${literal(member.name)}: ${literal(member.type)},\n`,
  );
  return `${comment(doc, "")}${name} = TypedDict(${literal(name)}, {\n${fields.join("")}})\n`;
}

/** Aliases are quoted, because they can name classes that follow. */
function alias(name: string, type: string, doc: string): string {
  const comment = doc ? `# ${doc.replaceAll("\n", " ")}\n` : "";
  return `${comment}${name}: TypeAlias = ${JSON.stringify(type)}\n`;
}

function typeOf(schema: Schema, nest?: (inner: Schema) => string): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum) return enumType(schema.enum);
  if (schema.properties) return nest ? nest(schema) : "dict[str, Any]";
  const choices = choicesOf(schema);
  if (choices.length > 0) return union(choices.map((choice) => typeOf(choice, nest)));
  const types = plainTypesOf(schema);
  return types.length === 0 ? "Any" : union(types.map((type) => plainType(type, schema, nest)));
}

function plainType(type: string, schema: Schema, nest?: (inner: Schema) => string): string {
  switch (type) {
    case "integer":
      return "int";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    case "null":
      return "None";
    case "array":
      return `list[${typeOf(schema.items ?? {}, nest)}]`;
    case "object":
      return "dict[str, Any]";
    default:
      return "str";
  }
}

function enumType(values: readonly unknown[]): string {
  if (values.length > MAX_ENUM) return "str";
  const literals = values.filter((value) => value !== null).map(literal);
  return union([`Literal[${literals.join(", ")}]`, ...(values.includes(null) ? ["None"] : [])]);
}

const literal = (value: unknown): string => JSON.stringify(value);

/** Returns the union of types. Literals are left out beside `str`, and `int` beside `float`, which contain them. */
function union(types: readonly string[]): string {
  const all = new Set(types.flatMap((type) => (type.includes("[") ? [type] : type.split(" | "))));
  const isCovered = (type: string): boolean =>
    (type.startsWith("Literal[") && all.has("str")) || (type === "int" && all.has("float"));
  // Requests take amounts as numbers or texts, so the client can send a decimal as a text.
  if (all.has("float") && all.has("str")) all.add("Decimal");
  return [...all].filter((type) => !isCovered(type)).join(" | ");
}

function docString(text: string): string {
  const safe = text.replaceAll("\\", "\\\\").replaceAll('"""', "'''").replaceAll("\n", " ");
  return safe === "" ? "" : `    """${safe}"""\n`;
}
