import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** One line of input to a verifier's program: tab-separated, what may hold anything in base64. */
export interface VerifierCase {
  format: "standard" | "plugin_v1";
  /** Unix seconds. */
  now: number;
  /** The secret, or the API key. */
  key: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** How the code of a document is run: what is put around it, and by what program. */
export interface Language {
  /** Of the fence: "js" for "```js verifier". */
  fence: string;
  program: string;
  args: readonly string[];
  /** Names of files to their text. */
  files: (code: string) => Readonly<Record<string, string>>;
}

const NODE_MAIN = `
import { readFileSync } from "node:fs";
for (const [at, line] of readFileSync(0, "utf8").trim().split("\\n").entries()) {
  const [format, now, key, body, head] = line.split("\\t");
  const headers = Object.fromEntries(Buffer.from(head, "base64").toString().split("\\n").filter(Boolean).map((one) => one.split(": ")));
  const check = format === "standard" ? isSignedStandard : isSignedPluginV1;
  console.log(at, check(headers, Buffer.from(body, "base64"), key, Number(now)));
}`;

const NODE_LIBRARY_MAIN = `
import { readFileSync } from "node:fs";
for (const [at, line] of readFileSync(0, "utf8").trim().split("\\n").entries()) {
  const [, now, key, body, head] = line.split("\\t");
  const headers = Object.fromEntries(Buffer.from(head, "base64").toString().split("\\n").filter(Boolean).map((one) => one.split(": ")));
  Date.now = () => Number(now) * 1000;
  try {
    verifyWithLibrary(headers, Buffer.from(body, "base64"), key);
    console.log(at, true);
  } catch {
    console.log(at, false);
  }
}`;

const PYTHON_MAIN = `
import sys
for at, line in enumerate(sys.stdin):
    form, now, key, body, head = line.rstrip("\\n").split("\\t")
    headers = dict(one.split(": ", 1) for one in base64.b64decode(head).decode().split("\\n") if one)
    check = is_signed_standard if form == "standard" else is_signed_plugin_v1
    print(at, str(check(headers, base64.b64decode(body), key, int(now))).lower())
`;

const GO_MAIN = `package main

import (
	"bufio"
	"encoding/base64"
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
		check := isSignedPluginV1
		if field[0] == "standard" {
			check = isSignedStandard
		}
		isSigned := check(header, body, field[2], time.Unix(seconds, 0))
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
            boolean isSigned = field[0].equals("standard")
                ? Callbacks.isSignedStandard(headers::get, body, field[2], now)
                : Callbacks.isSignedPluginV1(headers::get, body, field[2], now);
            System.out.println(at++ + " " + isSigned);
        }
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
    $check = $format === "standard" ? "is_signed_standard" : "is_signed_plugin_v1";
    echo $at, " ", $check($headers, base64_decode($body), $key, (int) $now) ? "true" : "false", "\\n";
}
`;

const RUBY_MAIN = `
$stdin.each_line.with_index do |line, at|
  format, now, key, body, head = line.chomp.split("\\t", -1)
  headers = head.unpack1("m").force_encoding("UTF-8").split("\\n").to_h { |one| one.split(": ", 2) }
  check = format == "standard" ? :signed_standard? : :signed_plugin_v1?
  puts "#{at} #{send(check, headers, body.unpack1("m"), key, now.to_i)}"
end
`;

/** A single file runs the first class in it. */
const javaFile = (code: string) => {
  const imports = code.match(/^import .*;$/gm) ?? [];
  return `${imports.join("\n")}\n${JAVA_MAIN}\n${code.replace(/^import .*;$/gm, "")}`;
};

/** The library is found where this project has it, for the folder has none. */
export const NODE_LIBRARY: Language = {
  fence: "js",
  program: process.execPath,
  args: ["main.mjs"],
  files: (code) => {
    const library = pathToFileURL(createRequire(import.meta.url).resolve("standardwebhooks")).href;
    return { "main.mjs": code.replace('"standardwebhooks"', JSON.stringify(library)) + NODE_LIBRARY_MAIN };
  },
};

export const LANGUAGES: readonly Language[] = [
  {
    fence: "js",
    program: process.execPath,
    args: ["main.mjs"],
    files: (code) => ({ "main.mjs": code + NODE_MAIN }),
  },
  { fence: "python", program: "python3", args: ["main.py"], files: (code) => ({ "main.py": code + PYTHON_MAIN }) },
  {
    fence: "go",
    program: "go",
    args: ["run", "."],
    files: (code) => ({ "verifier.go": code, "main.go": GO_MAIN, "go.mod": "module verifier\n\ngo 1.20\n" }),
  },
  { fence: "java", program: "java", args: ["Main.java"], files: (code) => ({ "Main.java": javaFile(code) }) },
  { fence: "php", program: "php", args: ["main.php"], files: (code) => ({ "main.php": code + PHP_MAIN }) },
  { fence: "ruby", program: "ruby", args: ["main.rb"], files: (code) => ({ "main.rb": code + RUBY_MAIN }) },
];

/** Runs the code over the cases in a folder of its own, and gives the verdicts in order; null when there is no such program. */
export async function runVerifier(
  language: Language,
  code: string,
  cases: readonly VerifierCase[],
): Promise<boolean[] | null> {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-verifier-"));
  try {
    const files = Object.entries(language.files(code));
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
