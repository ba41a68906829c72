import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A line of input to a verifier's program: tab-separated, with arbitrary values in base64. */
export interface VerifierCase {
  format: "standard" | "plugin_v1" | "v1a" | "v2";
  /** Unix seconds. */
  now: number;
  /** The secret or the API key; for verification by public key, the trusted keys as JSON in base64. */
  key: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The settings for running the code of a document: the surrounding code and the program. */
export interface Language {
  /** The language of the code block: "js" for "```js verifier". */
  fence: string;
  program: string;
  args: readonly string[];
  /** Returns the files' contents by name. @param byPublicKey the code that verifies by public key */
  files: (code: string, byPublicKey: string) => Readonly<Record<string, string>>;
}

const NODE_MAIN = `
import { readFileSync } from "node:fs";
for (const [at, line] of readFileSync(0, "utf8").trim().split("\\n").entries()) {
  const [format, now, key, body, head] = line.split("\\t");
  const headers = Object.fromEntries(Buffer.from(head, "base64").toString().split("\\n").filter(Boolean).map((one) => one.split(": ")));
  const trusted = () => JSON.parse(Buffer.from(key, "base64").toString());
  const checks = {
    standard: (...given) => isSignedStandard(...given),
    plugin_v1: (...given) => isSignedPluginV1(...given),
    v1a: (headers, body, _key, now) => isSignedByInstallation(headers, body, trusted().jwks, now),
    v2: (headers, body, _key, now) => isSignedV2(headers, body, trusted(), now),
  };
  console.log(at, checks[format](headers, Buffer.from(body, "base64"), key, Number(now)));
}`;

/** An implementation of Ed25519 by the arithmetic of RFC 8032 (section 5.1), for machines without the library that the page uses. */
const PYTHON_STAND_IN = `
import sys
try:
    if "by-hand" in sys.argv:
        raise ImportError
    import cryptography.hazmat.primitives.asymmetric.ed25519
except ImportError:
    import hashlib, types
    P = 2**255 - 19
    ORDER = 2**252 + 27742317777372353535851937790883648493
    D = -121665 * pow(121666, P - 2, P) % P

    def add(a, b):
        u, v = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
        c, d = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
        e, f, g, h = v - u, d - c, d + c, v + u
        return (e * f % P, g * h % P, f * g % P, e * h % P)

    def times(factor, point):
        result = (0, 1, 1, 0)
        while factor > 0:
            if factor & 1:
                result = add(result, point)
            point, factor = add(point, point), factor >> 1
        return result

    def point(data):
        y, sign = int.from_bytes(data, "little") & (2**255 - 1), data[31] >> 7
        square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
        x = pow(square, (P + 3) // 8, P)
        if (x * x - square) % P:
            x = x * pow(2, (P - 1) // 4, P) % P
        if y >= P or (x * x - square) % P:
            raise ValueError("not a point")
        x = P - x if x & 1 != sign else x
        return (x, y, 1, x * y % P)

    BASE = point(((4 * pow(5, P - 2, P)) % P).to_bytes(32, "little"))

    class InvalidSignature(Exception):
        pass

    class Ed25519PublicKey:
        def __init__(self, data):
            self.data = data

        @classmethod
        def from_public_bytes(cls, data):
            return cls(data)

        def verify(self, signature, text):
            if len(signature) != 64 or (s := int.from_bytes(signature[32:], "little")) >= ORDER:
                raise InvalidSignature
            h = int.from_bytes(hashlib.sha512(signature[:32] + self.data + text).digest(), "little") % ORDER
            a, b = times(s, BASE), add(point(signature[:32]), times(h, point(self.data)))
            if (a[0] * b[2] - b[0] * a[2]) % P or (a[1] * b[2] - b[1] * a[2]) % P:
                raise InvalidSignature

    parts = "cryptography.hazmat.primitives.asymmetric.ed25519".split(".")
    for end in range(1, len(parts) + 1):
        sys.modules[".".join(parts[:end])] = types.ModuleType(parts[end - 1])
    sys.modules["cryptography.exceptions"] = types.SimpleNamespace(InvalidSignature=InvalidSignature)
    sys.modules[".".join(parts)].Ed25519PublicKey = Ed25519PublicKey
`;

const PYTHON_MAIN = `
import json
import sys

def trusted(key):
    return json.loads(base64.b64decode(key))

CHECKS = {
    "standard": is_signed_standard,
    "plugin_v1": is_signed_plugin_v1,
    "v1a": lambda headers, body, key, now: is_signed_by_installation(headers, body, trusted(key)["jwks"], now),
    "v2": lambda headers, body, key, now: is_signed_v2(
        headers, body, *(trusted(key)[name] for name in ("jwks", "merchantId", "environment", "scheme")), now
    ),
}
for at, line in enumerate(sys.stdin):
    form, now, key, body, head = line.rstrip("\\n").split("\\t")
    headers = dict(one.split(": ", 1) for one in base64.b64decode(head).decode().split("\\n") if one)
    print(at, str(CHECKS[form](headers, base64.b64decode(body), key, int(now))).lower())
`;

const GO_MAIN = `package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for at := 0; lines.Scan(); at++ {
		field := strings.Split(lines.Text(), "\\t")
		seconds, _ := strconv.ParseInt(field[1], 10, 64)
		body, _ := base64.StdEncoding.DecodeString(field[3])
		head, _ := base64.StdEncoding.DecodeString(field[4])
		header := func(name string) string {
			for _, one := range strings.Split(string(head), "\\n") {
				if value, isIt := strings.CutPrefix(one, name+": "); isIt {
					return value
				}
			}
			return ""
		}
		var trusted struct {
			Jwks                            JWKS
			MerchantId, Environment, Scheme string
		}
		key, _ := base64.StdEncoding.DecodeString(field[2])
		json.Unmarshal(key, &trusted)
		now := time.Unix(seconds, 0)
		isSigned := false
		switch field[0] {
		case "standard":
			isSigned = isSignedStandard(header, body, field[2], now)
		case "plugin_v1":
			isSigned = isSignedPluginV1(header, body, field[2], now)
		case "v1a":
			isSigned = isSignedByInstallation(header, body, trusted.Jwks, now)
		case "v2":
			isSigned = isSignedV2(header, body, trusted.Jwks, trusted.MerchantId, trusted.Environment, trusted.Scheme, now)
		}
		os.Stdout.WriteString(strconv.Itoa(at) + " " + strconv.FormatBool(isSigned) + "\\n")
	}
}
`;

const JAVA_MAIN = `
class Main {
    public static void main(String[] args) throws Exception {
        var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in, StandardCharsets.UTF_8));
        int at = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] field = line.split("\\t", -1);
            var headers = new java.util.HashMap<String, String>();
            for (String one : new String(Base64.getDecoder().decode(field[4]), StandardCharsets.UTF_8).split("\\n")) {
                String[] pair = one.split(": ", 2);
                if (pair.length == 2) headers.put(pair[0], pair[1]);
            }
            byte[] body = Base64.getDecoder().decode(field[3]);
            long now = Long.parseLong(field[1]);
            boolean isSigned = switch (field[0]) {
                case "standard" -> Callbacks.isSignedStandard(headers::get, body, field[2], now);
                case "plugin_v1" -> Callbacks.isSignedPluginV1(headers::get, body, field[2], now);
                case "v1a" -> InstallationKeys.isSignedByInstallation(headers::get, body, keys(field[2]), now);
                default -> InstallationKeys.isSignedV2(headers::get, body, keys(field[2]), text(field[2], "merchantId"),
                    text(field[2], "environment"), text(field[2], "scheme"), now);
            };
            System.out.println(at++ + " " + isSigned);
        }
    }

    static String json(String trusted) {
        return new String(Base64.getDecoder().decode(trusted), StandardCharsets.UTF_8);
    }

    /** Java reads no JSON by itself; what is trusted is written by the test. */
    static String text(String trusted, String name) {
        var found = java.util.regex.Pattern.compile("\\"" + name + "\\":\\"([^\\"]*)\\"").matcher(json(trusted));
        return found.find() ? found.group(1) : "";
    }

    static Map<String, String> keys(String trusted) {
        var keys = new java.util.HashMap<String, String>();
        var found = java.util.regex.Pattern.compile("\\"kid\\":\\"([^\\"]*)\\",\\"x\\":\\"([^\\"]*)\\"").matcher(json(trusted));
        while (found.find()) keys.put(found.group(1), found.group(2));
        return keys;
    }
}
`;

const PHP_MAIN = `
foreach (explode("\\n", trim(file_get_contents("php://stdin"))) as $at => $line) {
    [$format, $now, $key, $body, $head] = explode("\\t", $line);
    $headers = [];
    foreach (array_filter(explode("\\n", base64_decode($head))) as $one) {
        [$name, $value] = explode(": ", $one, 2);
        $headers[$name] = $value;
    }
    $trusted = str_starts_with($format, "v") ? json_decode(base64_decode($key), true) : null;
    $checks = [
        "standard" => fn ($body, $now) => is_signed_standard($headers, $body, $key, $now),
        "plugin_v1" => fn ($body, $now) => is_signed_plugin_v1($headers, $body, $key, $now),
        "v1a" => fn ($body, $now) => is_signed_by_installation($headers, $body, $trusted["jwks"], $now),
        "v2" => fn ($body, $now) => is_signed_v2($headers, $body, $trusted, $now),
    ];
    echo $at, " ", $checks[$format](base64_decode($body), (int) $now) ? "true" : "false", "\\n";
}
`;

const RUBY_MAIN = `
require "json"

$stdin.each_line.with_index do |line, at|
  format, now, key, body, head = line.chomp.split("\\t", -1)
  headers = head.unpack1("m").force_encoding("UTF-8").split("\\n").to_h { |one| one.split(": ", 2) }
  trusted = format.start_with?("v") ? JSON.parse(key.unpack1("m")) : {}
  raw, seconds = body.unpack1("m"), now.to_i
  checks = {
    "standard" => -> { signed_standard?(headers, raw, key, seconds) },
    "plugin_v1" => -> { signed_plugin_v1?(headers, raw, key, seconds) },
    "v1a" => -> { signed_by_installation?(headers, raw, trusted["jwks"], seconds) },
    "v2" => -> { signed_v2?(headers, raw, *trusted.values_at("jwks", "merchantId", "environment", "scheme"), seconds) },
  }
  puts "#{at} #{checks[format].call}"
end
`;

/** Returns the code as a single source file. Java runs the first class in such a file. */
const javaFile = (code: string) => {
  const imports = code.match(/^import .*;$/gm) ?? [];
  return `${imports.join("\n")}\n${JAVA_MAIN}\n${code.replace(/^import .*;$/gm, "")}`;
};

const PYTHON: Language = {
  fence: "python",
  program: "python3",
  args: ["main.py"],
  files: (code, byPublicKey) => ({ "main.py": PYTHON_STAND_IN + code + byPublicKey + PYTHON_MAIN }),
};

/** The Python verifier with its own implementation of Ed25519, which differs from the implementation that signs in the tests. */
export const PYTHON_MANUAL: Language = { ...PYTHON, args: ["main.py", "by-hand"] };

export const LANGUAGES: readonly Language[] = [
  {
    fence: "js",
    program: process.execPath,
    args: ["main.mjs"],
    files: (code, byPublicKey) => ({ "main.mjs": `${code}\n${byPublicKey}\n${NODE_MAIN}` }),
  },
  PYTHON,
  {
    fence: "go",
    program: "go",
    args: ["run", "."],
    files: (code, byPublicKey) => ({
      "verifier.go": code,
      "public-key.go": byPublicKey,
      "main.go": GO_MAIN,
      "go.mod": "module verifier\n\ngo 1.20\n",
    }),
  },
  {
    fence: "java",
    program: "java",
    args: ["Main.java"],
    files: (code, byPublicKey) => ({ "Main.java": javaFile(code + byPublicKey) }),
  },
  {
    fence: "php",
    program: "php",
    args: ["main.php"],
    files: (code, byPublicKey) => ({ "main.php": code + byPublicKey.replace("<?php", "") + PHP_MAIN }),
  },
  {
    fence: "ruby",
    program: "ruby",
    args: ["main.rb"],
    files: (code, byPublicKey) => ({ "main.rb": code + byPublicKey + RUBY_MAIN }),
  },
];

/** Runs the code on the cases in a separate folder. @returns the verdicts in order; null if the program is not installed */
export async function runVerifier(
  language: Language,
  code: { verifier: string; byPublicKey: string },
  cases: readonly VerifierCase[],
): Promise<boolean[] | null> {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-verifier-"));
  try {
    const files = Object.entries(language.files(code.verifier, code.byPublicKey));
    await Promise.all(files.map(([name, text]) => writeFile(path.join(folder, name), text)));
    const output = await run(language, folder, cases.map(toLine).join("\n"));
    return output?.trim().split("\n").map(toVerdict) ?? null;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function run({ program, args }: Language, cwd: string, input: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on("data", (chunk) => out.push(String(chunk)));
    child.stderr.on("data", (chunk) => err.push(String(chunk)));
    child.on("error", (error) => ("code" in error && error.code === "ENOENT" ? resolve(null) : reject(error)));
    child.on("close", (code) => (code === 0 ? resolve(out.join("")) : reject(new Error(err.join("")))));
    child.stdin.on("error", () => {}).end(`${input}\n`);
  });
}

function toLine({ format, now, key, headers, body }: VerifierCase): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return [format, now, key, base64(body), base64(head.join(""))].join("\t");
}

function toVerdict(line: string, index: number): boolean {
  const [, at, verdict] = /^(\d+) (true|false)$/.exec(line.trim()) ?? [];
  if (Number(at) !== index) throw new Error(`not a verdict about case ${index}: ${line}`);
  return verdict === "true";
}
