/** An HTTP request to the API, as the examples send it. */
export interface SampleRequest {
  method: "GET" | "POST";
  url: string;
  /** The JSON body; absent for GET. */
  body?: unknown;
  /** True if the request needs an API key. */
  needsKey: boolean;
  /** True if the response is an event stream that stays open. */
  isStream?: boolean;
}

/** A programming language of the examples. */
export interface SampleLanguage {
  id: string;
  name: string;
  /** Returns a complete program that sends a request and prints the response. The API key is in STABLEGATE_API_KEY. */
  write(request: SampleRequest): string;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Returns JSON with one member per line, and with lists of plain values on one line. */
export function pretty(value: unknown): string {
  return JSON.stringify(value ?? {}, null, 2).replaceAll(
    /\[\n\s+([^[\]{}]*?)\n\s+\]/g,
    (_, items: string) => `[${items.replaceAll(/,\n\s+/g, ", ")}]`,
  );
}

const indent = (text: string, by: number) => text.replaceAll("\n", `\n${" ".repeat(by)}`);

function curl({ method, url, body, needsKey, isStream }: SampleRequest): string {
  const options = [
    ...(needsKey ? ['-H "X-API-Key: $STABLEGATE_API_KEY"'] : []),
    ...(method === "POST"
      ? ['-H "Content-Type: application/json"', `-d '${pretty(body).replaceAll("'", "'\\''")}'`]
      : []),
  ];
  return [`curl ${isStream ? "-N " : ""}"${url}"`, ...options].join(" \\\n  ");
}

function node({ method, url, body, needsKey, isStream }: SampleRequest): string {
  if (isStream)
    return `const response = await fetch("${url}");
for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
  console.log(chunk);
}`;
  if (method === "GET") return `const response = await fetch("${url}");\nconsole.log(await response.json());`;
  const headers = [
    ...(needsKey ? ['    "X-API-Key": process.env.STABLEGATE_API_KEY,'] : []),
    '    "Content-Type": "application/json",',
  ];
  return `const response = await fetch("${url}", {
  method: "POST",
  headers: {
${headers.join("\n")}
  },
  body: JSON.stringify(${indent(pretty(body), 2)}),
});
const { code, message, data } = await response.json();
if (code !== 0) throw new Error(message);
console.log(data);`;
}

/** Returns a value as a PHP literal. Inner lines are indented 4 spaces more than `by`. */
function phpValue(value: Json, by: number): string {
  const inner = " ".repeat(by + 4);
  if (value === null || typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value === "string") return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map((one) => phpValue(one, by)).join(", ")}]`;
  const entries = Object.entries(value);
  if (entries.length === 0) return "new stdClass()";
  const lines = entries.map(([name, one]) => `${inner}'${name}' => ${phpValue(one, by + 4)},`);
  return `[\n${lines.join("\n")}\n${" ".repeat(by)}]`;
}

function php({ method, url, body }: SampleRequest): string {
  if (method === "GET") return `<?php\n$response = json_decode(file_get_contents('${url}'));\nprint_r($response);`;
  return `<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'X-API-Key: ' . getenv('STABLEGATE_API_KEY'),
        'Content-Type: application/json',
    ],
    'content' => json_encode(${phpValue(body as Json, 4)}),
    'ignore_errors' => true,
]]);
$response = json_decode(file_get_contents('${url}', false, $context));
if ($response->code !== 0) {
    throw new Exception($response->message);
}
print_r($response->data);`;
}

/** Returns a value as a Python literal. */
function pythonValue(value: Json, by: number): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => pythonValue(one, by)).join(", ")}]`;
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  const lines = entries.map(
    ([name, one]) => `${" ".repeat(by + 4)}${JSON.stringify(name)}: ${pythonValue(one, by + 4)},`,
  );
  return `{\n${lines.join("\n")}\n${" ".repeat(by)}}`;
}

function python({ method, url, body }: SampleRequest): string {
  if (method === "GET")
    return `import json
import urllib.request

with urllib.request.urlopen("${url}") as response:
    print(json.load(response))`;
  return `import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps(${pythonValue(body as Json, 4)}).encode(),
    headers={
        "X-API-Key": os.environ["STABLEGATE_API_KEY"],
        "Content-Type": "application/json",
    },
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.load(response)["data"])
except urllib.error.HTTPError as error:
    raise SystemExit(json.load(error)["message"])`;
}

function goGet(url: string): string {
  return `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
)

func main() {
	response, err := http.Get("${url}")
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(body))
}`;
}

function go({ method, url, body }: SampleRequest): string {
  if (method === "GET") return goGet(url);
  return `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader(\`${pretty(body)}\`)
	request, err := http.NewRequest("POST", "${url}", body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("X-API-Key", os.Getenv("STABLEGATE_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var result struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		log.Fatal(err)
	}
	if result.Code != 0 {
		log.Fatal(result.Message)
	}
	fmt.Println(string(result.Data))
}`;
}

function java({ method, url, body }: SampleRequest): string {
  const isPost = method === "POST";
  const text = indent(pretty(body).replaceAll("\\", "\\\\"), 12);
  const declared = isPost ? `        String body = """\n            ${text}""";\n` : "";
  const calls = isPost
    ? [
        '            .header("X-API-Key", System.getenv("STABLEGATE_API_KEY"))',
        '            .header("Content-Type", "application/json")',
        "            .POST(HttpRequest.BodyPublishers.ofString(body))",
      ]
    : [];
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

class Example {
    public static void main(String[] args) throws Exception {
${declared}        HttpRequest request = HttpRequest.newBuilder(URI.create("${url}"))
${[...calls, "            .build();"].join("\n")}
        HttpResponse<String> response = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) throw new RuntimeException(response.body());
        System.out.println(response.body());
    }
}`;
}

function csharp({ method, url, body }: SampleRequest): string {
  if (method === "GET")
    return `using var client = new HttpClient();\nConsole.WriteLine(await client.GetStringAsync("${url}"));`;
  return `using System.Text;

using var client = new HttpClient();
client.DefaultRequestHeaders.Add("X-API-Key", Environment.GetEnvironmentVariable("STABLEGATE_API_KEY"));
var body = new StringContent("""
    ${indent(pretty(body), 4)}
    """, Encoding.UTF8, "application/json");
using var response = await client.PostAsync("${url}", body);
var text = await response.Content.ReadAsStringAsync();
if (!response.IsSuccessStatusCode) throw new Exception(text);
Console.WriteLine(text);`;
}

/** The languages of the examples, in the order of their tabs. */
export const SAMPLE_LANGUAGES: readonly SampleLanguage[] = [
  { id: "curl", name: "curl", write: curl },
  { id: "node", name: "Node", write: node },
  { id: "php", name: "PHP", write: php },
  { id: "python", name: "Python", write: python },
  { id: "go", name: "Go", write: go },
  { id: "java", name: "Java", write: java },
  { id: "csharp", name: "C#", write: csharp },
];

/** Returns the languages that have an example of a request. Streams have examples in curl and Node only. */
export function languagesOf({ isStream = false }: SampleRequest): readonly SampleLanguage[] {
  return isStream ? SAMPLE_LANGUAGES.slice(0, 2) : SAMPLE_LANGUAGES;
}
