import { expect, test } from "vitest";
import { isHttpUri, toUri } from "@/lib/domain/uri";

test.each([
  "https://shop.example.com",
  "HTTP://Shop.example.com:8080/a/../b//c;v=1?x=%20&y=a/b?c#part/1?",
  "https://[2001:db8::1]/",
  "https://shop.example.com/?a=b+c&d=(e)'!*",
])("a URI stays as it was given: %s", (text) => {
  expect(isHttpUri(text)).toBe(true);
  expect(toUri(text)).toBe(text);
});

test.each([
  ["https://shop.example.com/x?o=1&i={InvoiceId}", "https://shop.example.com/x?o=1&i=%7BInvoiceId%7D"],
  ["https://shop.example.com/{InvoiceId}/ok", "https://shop.example.com/%7BInvoiceId%7D/ok"],
  ["https://shop.example.com/谢谢?q=é#完", "https://shop.example.com/%E8%B0%A2%E8%B0%A2?q=%C3%A9#%E5%AE%8C"],
  ["https://bücher.example/", "https://xn--bcher-kva.example/"],
  ["https://shop.example.com/a|b^c`d?e=[1]\\2", "https://shop.example.com/a%7Cb%5Ec%60d?e=%5B1%5D%5C2"],
  ["https://shop.example.com/100%?%zz#a#b", "https://shop.example.com/100%25?%25zz#a%23b"],
  ["https://shop.example.com/?🧧", "https://shop.example.com/?%F0%9F%A7%A7"],
])("other characters are percent-encoded: %s", (text, uri) => {
  expect(isHttpUri(text)).toBe(false);
  expect(toUri(text)).toBe(uri);
  expect(isHttpUri(uri)).toBe(true);
});
