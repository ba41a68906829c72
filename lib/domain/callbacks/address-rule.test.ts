import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, test } from "vitest";
import {
  checkPeer,
  hostOf,
  readHttpUrl,
  SPECIAL_RANGES,
  validateCallbackUrl as validate,
} from "@/lib/domain/callbacks/address-rule";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { problem } from "@/lib/domain/problems/problem";

const CLOSED = { allowCidrs: [] };
const SANDBOX = { allowCidrs: ["127.0.0.0/8", "::1/128"] };
function validateCallbackUrl(...asked: Parameters<typeof validate>): string | null {
  const invalid = validate(...asked);
  return invalid && inEnglish(invalid);
}

const check = (url: string) => validateCallbackUrl(url, CLOSED);

describe("addresses", () => {
  test.each([
    "8.8.8.8",
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "168.63.129.15",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81b::200e",
    "2001:4860:4860::8888",
    "2001:200::1",
  ])("%s is public", (ip) => {
    expect(checkPeer(ip, CLOSED)).toBeNull();
  });

  test.each([
    ["0.0.0.0", "this network"],
    ["0.1.2.3", "this network"],
    ["10.0.0.0", "private"],
    ["10.255.255.255", "private"],
    ["100.64.0.1", "carrier-grade NAT"],
    ["100.127.255.255", "carrier-grade NAT"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["169.254.1.1", "link-local"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.0.0.1", "protocol assignments"],
    ["192.0.0.9", "protocol assignments"],
    ["192.0.2.1", "documentation"],
    ["192.31.196.1", "AS112"],
    ["192.52.193.1", "AMT"],
    ["192.88.99.1", "6to4 relay"],
    ["192.168.1.1", "private"],
    ["192.175.48.1", "AS112"],
    ["198.18.0.1", "benchmarking"],
    ["198.19.255.255", "benchmarking"],
    ["198.51.100.7", "documentation"],
    ["203.0.113.7", "documentation"],
    ["224.0.0.1", "multicast"],
    ["239.255.255.255", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["169.254.169.254", "metadata"],
    ["169.254.170.2", "metadata"],
    ["168.63.129.16", "metadata"],
    ["100.100.100.200", "metadata"],
    ["192.0.0.192", "metadata"],
    ["fd00:ec2::254", "metadata"],
    ["fd20:ce::254", "metadata"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::808:808", "IPv4-compatible"],
    ["::ffff:8.8.8.8", "IPv4-mapped"],
    ["::ffff:127.0.0.1", "IPv4-mapped"],
    ["::ffff:a9fe:a9fe", "IPv4-mapped"],
    ["::ffff:0:7f00:1", "IPv4-translated"],
    ["64:ff9b::8.8.8.8", "NAT64"],
    ["64:ff9b::10.0.0.1", "NAT64"],
    ["64:ff9b:1::1", "NAT64"],
    ["64:ff9b:1:ffff::1", "NAT64"],
    ["100::1", "discard"],
    ["100:0:0:1::1", "dummy"],
    ["2001::1", "Teredo"],
    ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "Teredo"],
    ["2001:2::1", "benchmarking"],
    ["2001:3::1", "protocol assignments"],
    ["2001:4:112::1", "protocol assignments"],
    ["2001:20::1", "protocol assignments"],
    ["2001:30::1", "protocol assignments"],
    ["2001:1ff:ffff::1", "protocol assignments"],
    ["2001:db8::1", "documentation"],
    ["2002:7f00:1::", "6to4"],
    ["2002:808:808::1", "6to4"],
    ["2620:4f:8000::1", "AS112"],
    ["3ffe::1", "6bone"],
    ["3fff::1", "documentation"],
    ["5f00::1", "segment routing"],
    ["4000::1", "global unicast"],
    ["1::1", "global unicast"],
    ["fc00::1", "unique local"],
    ["fdff::1", "unique local"],
    ["fe80::1", "link-local"],
    ["fec0::1", "site-local"],
    ["ff02::1", "multicast"],
    ["2a00:1450::5efe:7f00:1", "ISATAP"],
    ["2a00:1450::200:5efe:a00:1", "ISATAP"],
    ["fe80::1%eth0", "not a plain IP address"],
    ["2a00:1450::1%1", "not a plain IP address"],
    ["2130706433", "not a plain IP address"],
    ["0177.0.0.1", "not a plain IP address"],
    ["127.1", "not a plain IP address"],
    ["localhost", "not a plain IP address"],
    ["", "not a plain IP address"],
  ])("%s is refused as %s", (ip, what) => {
    expect(checkPeer(ip, CLOSED)).toContain(what);
  });

  test("every address of every special range is refused", () => {
    for (const [cidr] of SPECIAL_RANGES) {
      const [base, bits] = ipaddr.parseCIDR(cidr);
      const bytes = base.toByteArray();
      fc.assert(
        fc.property(fc.array(fc.nat(255), { minLength: bytes.length, maxLength: bytes.length }), (noise) => {
          const mixed = bytes.map((byte, index) => {
            const fixed = Math.max(0, Math.min(8, bits - index * 8));
            return byte | ((noise[index] ?? 0) & (0xff >> fixed));
          });
          expect(checkPeer(ipaddr.fromByteArray(mixed).toString(), CLOSED)).not.toBeNull();
        }),
        { numRuns: 30 },
      );
    }
  });

  test("an IPv6 address outside 2000::/3 is never public", () => {
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        const first = (ipaddr.parse(ip) as ipaddr.IPv6).parts[0] ?? 0;
        fc.pre(first >> 13 !== 1);
        expect(checkPeer(ip, CLOSED)).not.toBeNull();
      }),
    );
  });

  test("an opened range is allowed, and nothing beside it", () => {
    const policy = { allowCidrs: ["10.1.0.0/16", "fd12:3456::/32"] };
    expect(checkPeer("10.1.2.3", policy)).toBeNull();
    expect(checkPeer("fd12:3456::7", policy)).toBeNull();
    expect(checkPeer("10.2.0.1", policy)).toContain("private");
    expect(checkPeer("fd12:3457::7", policy)).toContain("unique local");
    expect(checkPeer("::ffff:10.1.2.3", policy)).toContain("IPv4-mapped");
  });

  test("a wide opened range does not open the clouds' metadata; their very address does", () => {
    expect(checkPeer("169.254.169.254", { allowCidrs: ["0.0.0.0/0"] })).toContain("metadata");
    expect(checkPeer("100.100.100.200", { allowCidrs: ["100.64.0.0/10"] })).toContain("metadata");
    expect(checkPeer("fd00:ec2::254", { allowCidrs: ["fd00::/8"] })).toContain("metadata");
    expect(checkPeer("100.100.100.200", { allowCidrs: ["100.100.100.200/32"] })).toBeNull();
    expect(checkPeer("fd00:ec2::254", { allowCidrs: ["fd00:ec2::254/128"] })).toBeNull();
  });
});

describe("URLs", () => {
  test.each([
    "https://shop.example.com/callback",
    "http://shop.example.com",
    "HTTPS://Shop.Example.COM/a?b=c#d",
    "https://shop.example.com:443/",
    "http://shop.example.com:80/",
    "https://shop.example.com:80/",
    "http://shop.example.com:1024/",
    "http://shop.example.com:65535/",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]:8443/x",
    "https://shop.example.com./",
    "https://bücher.example.com/",
    "https://xn--bcher-kva.example.com/",
    "https://my_shop.example.com/",
    "https://1.example.com/",
    "https://local.example.com/",
    "https://internal.example.com/",
    "https://localhost.example.com/",
    "https://shop.example.com/@user",
    `https://shop.example.com/${"a".repeat(2_048 - 25)}`,
  ])("%s is fine", (url) => {
    expect(check(url)).toBeNull();
  });

  test.each([
    ["", "not an absolute"],
    ["shop.example.com/callback", "not an absolute"],
    ["/callback", "not an absolute"],
    ["//shop.example.com/callback", "not an absolute"],
    ["ftp://shop.example.com/", "not an absolute"],
    ["file:///etc/passwd", "not an absolute"],
    ["javascript:alert(1)", "not an absolute"],
    ["http:shop.example.com", "not an absolute"],
    ["http:/shop.example.com", "not an absolute"],
    ["http:///shop.example.com", "not an absolute"],
    ["http:\\\\shop.example.com", "not an absolute"],
    ["http://", "not an absolute"],
    [" https://shop.example.com/", "not an absolute"],
    ["https://shop.example.com/ ", "not an absolute"],
    ["https://shop.exam\nple.com/", "not an absolute"],
    ["https://shop.example.com/a\tb", "not an absolute"],
    ["https://shop.example.com/\0", "not an absolute"],
    ["https://shop.example.com:99999/", "not an absolute"],
    ["https://1.2.3.4.5/", "not an absolute"],
    ["https://256.1.1.1/", "not an absolute"],
    ["http://[fe80::1%25eth0]/", "not an absolute"],
    ["http://[::1", "not an absolute"],
    [`https://shop.example.com/${"a".repeat(2_048)}`, "longer than 2048"],
    ["https://user:pass@shop.example.com/", "user name"],
    ["https://user@shop.example.com/", "user name"],
    ["https://:pass@shop.example.com/", "user name"],
    ["https://8.8.8.8@shop.example.com/", "user name"],
    ["http://shop.example.com:22/", "port 22"],
    ["http://shop.example.com:0/", "port 0"],
    ["http://shop.example.com:1023/", "port 1023"],
    ["http://shop.example.com:81/", "port 81"],
    ["http://ex!ample.com/", "invalid host"],
    ["http://a..example.com/", "invalid host"],
    ["http://.example.com/", "invalid host"],
    ["http://-a.example.com/", "invalid host"],
    ["http://example.com../", "invalid host"],
    [`http://${"a".repeat(64)}.example.com/`, "invalid host"],
    ["http://localhost/", "this machine"],
    ["http://LOCALHOST./", "this machine"],
    ["http://loc%61lhost/", "this machine"],
    ["http://ｌｏｃａｌｈｏｓｔ/", "this machine"],
    ["http://a.localhost:3000/", "this machine"],
    ["http://intranet/", "local name"],
    ["http://shop./", "local name"],
    ["http://printer.local/", "local name"],
    ["http://printer.local./", "local name"],
    ["http://metadata.google.internal/", "local name"],
    ["http://a.internal/", "local name"],
    ["http://router.lan/", "local name"],
    ["http://nas.home.arpa/", "local name"],
    ["http://wiki.corp/", "local name"],
  ])("%s is refused: %s", (url, problem) => {
    expect(check(url)).toContain(problem);
  });

  test.each([
    ["dotted", "http://127.0.0.1/"],
    ["with a trailing dot", "http://127.0.0.1./"],
    ["decimal", "http://2130706433/"],
    ["octal", "http://0177.0.0.1/"],
    ["octal as a whole", "http://017700000001/"],
    ["hexadecimal", "http://0x7f000001/"],
    ["mixed", "http://0x7f.0.0.01/"],
    ["short", "http://127.1/"],
    ["full-width", "http://１２７.０.０.１/"],
    ["circled", "http://①②⑦.⓪.⓪.①/"],
    ["with ideographic dots", "http://127。0。0。1/"],
    ["percent-encoded", "http://%31%32%37.0.0.1/"],
    ["IPv6", "http://[::1]/"],
    ["long IPv6", "http://[0:0:0:0:0:0:0:1]/"],
    ["IPv4-mapped", "http://[::ffff:127.0.0.1]/"],
    ["IPv4-mapped in hexadecimal", "http://[::ffff:7f00:1]/"],
    ["IPv4-compatible", "http://[::127.0.0.1]/"],
    ["6to4", "http://[2002:7f00:1::]/"],
    ["NAT64", "http://[64:ff9b::127.0.0.1]/"],
  ])("loopback in %s notation is refused", (_notation, url) => {
    expect(check(url)).toMatch(/points to .*; requests go to public addresses only/);
  });

  test("metadata addresses are refused by name", () => {
    expect(check("http://169.254.169.254/latest/meta-data/")).toContain("cloud metadata");
    expect(check("http://0xa9fea9fe/")).toContain("cloud metadata");
    expect(check("http://[fd00:ec2::254]/")).toContain("cloud metadata");
  });

  test("where loopback is opened, local addresses and names are fine and private ones are not", () => {
    for (const url of [
      "http://127.0.0.1:4000/x",
      "http://localhost:4000/x",
      "http://[::1]:4000/",
      "http://a.localhost/",
    ]) {
      expect(validateCallbackUrl(url, SANDBOX)).toBeNull();
    }
    expect(validateCallbackUrl("http://10.0.0.1/", SANDBOX)).toContain("private");
    expect(validateCallbackUrl("http://[::ffff:127.0.0.1]/", SANDBOX)).toContain("IPv4-mapped");
  });

  test("where a private range is opened, names of the local name are fine, but not localhost", () => {
    const policy = { allowCidrs: ["172.16.0.0/12"] };
    expect(validateCallbackUrl("http://shop:8080/x", policy)).toBeNull();
    expect(validateCallbackUrl("http://shop.default.svc.cluster.local/x", policy)).toBeNull();
    expect(validateCallbackUrl("http://localhost:8080/x", policy)).toContain("this machine");
  });

  test("no text at all makes the rule throw", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void check(text)));
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void check(`http://${text}`)));
    fc.assert(fc.property(fc.webUrl(), (text) => void check(text)));
  });

  test("a special IPv4 address is refused in every notation", () => {
    const octets = fc
      .constantFrom([10], [127], [169, 254], [192, 168], [172, 20], [100, 100])
      .chain((fixed) =>
        fc
          .array(fc.nat(255), { minLength: 4 - fixed.length, maxLength: 4 - fixed.length })
          .map((rest) => [...fixed, ...rest]),
      );
    const notation = fc.constantFrom(
      (parts: number[]) => parts.join("."),
      (parts: number[]) => parts.map((part) => `0x${part.toString(16)}`).join("."),
      (parts: number[]) => parts.map((part) => `0${part.toString(8)}`).join("."),
      (parts: number[]) => String(parts.reduce((sum, part) => sum * 256 + part, 0)),
      (parts: number[]) => `[::ffff:${parts.join(".")}]`,
      (parts: number[]) => `[64:ff9b::${parts.join(".")}]`,
    );
    fc.assert(
      fc.property(octets, notation, (parts, write) => {
        expect(check(`http://${write(parts)}/`)).toContain("points to");
      }),
    );
  });
});

test("hosts are handed to sockets without brackets and without a trailing dot", () => {
  expect(hostOf(new URL("http://[::1]:80/"))).toBe("::1");
  expect(hostOf(new URL("http://shop.example.com./"))).toBe("shop.example.com");
});

test("a URL to return to has no user name and password, which would show another host than the one it leads to", () => {
  expect(readHttpUrl("https://shop.example.com@evil.example/", "")).toEqual({
    problem: problem("url_with_credentials"),
  });
  expect(readHttpUrl("https://shop.example.com/a@b", "")).toHaveProperty("url");
});
