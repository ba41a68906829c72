import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Language } from "@/testing/callbacks/verifiers";
import { goWith, mavenWith, npmWith, pythonWith } from "@/testing/published-client";

/** A published library for Standard Webhooks, at an exact version. */
export interface WebhookLibrary {
  name: string;
  /** The language of the page's code block that uses the library. */
  fence: string;
  /** True if the library accepts a public key as its secret. Its users must not configure one. */
  acceptsPublicKeyAsSecret: boolean;
  /** Returns the settings for running the page's code with the library; null if the library cannot be installed. */
  prepare: () => Promise<Language | null>;
}

const NODE_MAIN = `
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
import base64
import sys

for at, line in enumerate(sys.stdin):
    _, _, key, body, head = line.rstrip("\\n").split("\\t")
    headers = dict(one.split(": ", 1) for one in base64.b64decode(head).decode().split("\\n") if one)
    try:
        verify_with_library(headers, base64.b64decode(body), key)
        print(at, "true")
    except Exception:
        print(at, "false")
`;

const GO_MAIN = `package main

import (
	"bufio"
	"encoding/base64"
	"net/http"
	"os"
	"strconv"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for at := 0; lines.Scan(); at++ {
		field := strings.Split(lines.Text(), "\\t")
		body, _ := base64.StdEncoding.DecodeString(field[3])
		head, _ := base64.StdEncoding.DecodeString(field[4])
		header := http.Header{}
		for _, one := range strings.Split(string(head), "\\n") {
			if name, value, isIt := strings.Cut(one, ": "); isIt {
				header.Set(name, value)
			}
		}
		isSigned := verifyWithLibrary(header, body, field[2]) == nil
		os.Stdout.WriteString(strconv.Itoa(at) + " " + strconv.FormatBool(isSigned) + "\\n")
	}
}
`;

const JAVA_MAIN = `
class Main {
    public static void main(String[] args) throws Exception {
        var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in, java.nio.charset.StandardCharsets.UTF_8));
        int at = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] field = line.split("\\t", -1);
            var headers = new java.util.HashMap<String, List<String>>();
            for (String one : decode(field[4]).split("\\n")) {
                String[] pair = one.split(": ", 2);
                if (pair.length == 2) headers.put(pair[0], List.of(pair[1]));
            }
            boolean isSigned = true;
            try {
                CallbackLibrary.verify(headers, decode(field[3]), field[2]);
            } catch (WebhookVerificationException | IllegalArgumentException refused) {
                isSigned = false;
            }
            System.out.println(at++ + " " + isSigned);
        }
    }

    static String decode(String base64) {
        return new String(java.util.Base64.getDecoder().decode(base64), java.nio.charset.StandardCharsets.UTF_8);
    }
}
`;

/** The libraries whose registry an ordinary machine reaches with the language's own tools. */
export const LIBRARIES: readonly WebhookLibrary[] = [
  npmLibrary("standardwebhooks", "1.1.1"),
  npmLibrary("svix", "2.5.0"),
  {
    name: "PyPI standardwebhooks 1.1.0",
    fence: "python",
    // Python's base64 decoder skips characters outside its alphabet, so a public key is decoded as if it were a secret.
    acceptsPublicKeyAsSecret: true,
    prepare: async () => {
      const program = await pythonWith(["standardwebhooks==1.1.0"]);
      const files = (code: string) => ({ "main.py": code + PYTHON_MAIN });
      return program === null ? null : { fence: "python", program, args: ["main.py"], files };
    },
  },
  {
    name: "Go github.com/standard-webhooks/standard-webhooks/libraries 0.0.1",
    fence: "go",
    acceptsPublicKeyAsSecret: false,
    prepare: prepareGo,
  },
  {
    name: "Maven com.standardwebhooks:standardwebhooks 1.1.1",
    fence: "java",
    acceptsPublicKeyAsSecret: false,
    prepare: async () => {
      const classPath = await mavenWith("com.standardwebhooks:standardwebhooks:1.1.1");
      if (classPath === null) return null;
      const args = ["-cp", classPath, "Main.java"];
      return { fence: "java", program: "java", args, files: (code) => ({ "Main.java": toJavaFile(code) }) };
    },
  },
];

/** svix verifies the same headers with a class of the same name, so the page's code needs only a different import. */
function npmLibrary(name: string, version: string): WebhookLibrary {
  const prepare = async () => {
    const folder = await npmWith([`${name}@${version}`]);
    if (folder === null) return null;
    const script = path.join(folder, `verify-${process.pid}.mjs`);
    const resolve = `import { createRequire } from "node:module";\nconst { Webhook } = createRequire(${JSON.stringify(pathToFileURL(script).href)})("${name}");\n`;
    const toScript = (code: string) => resolve + code.replace('import { Webhook } from "standardwebhooks";', "");
    const files = (code: string) => ({ "main.mjs": toScript(code) + NODE_MAIN });
    return { fence: "js", program: process.execPath, args: ["main.mjs"], files };
  };
  return { name: `npm ${name} ${version}`, fence: "js", acceptsPublicKeyAsSecret: false, prepare };
}

async function prepareGo(): Promise<Language | null> {
  const folder = await goWith(["github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1"]);
  if (folder === null) return null;
  const [mod, sum] = await Promise.all(["go.mod", "go.sum"].map((name) => readFile(path.join(folder, name), "utf8")));
  const files = (code: string) => ({
    "verifier.go": code,
    "main.go": GO_MAIN,
    "go.mod": mod ?? "",
    "go.sum": sum ?? "",
  });
  return { fence: "go", program: "go", args: ["run", "."], files };
}

/** Returns the code as a single source file. Java runs the first class in such a file. */
function toJavaFile(code: string): string {
  const imports = code.match(/^import .*;$/gm) ?? [];
  return `${imports.join("\n")}\n${JAVA_MAIN}\n${code.replace(/^import .*;$/gm, "")}`;
}
