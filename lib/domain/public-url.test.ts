import { expect, test } from "vitest";
import { plainHttpProblem } from "@/lib/domain/public-url";

test.each(["http://pay.example.com", "http://203.0.113.7:3000", "http://[2606:4700::1]"])(
  "%s is reported with the setting and the address that would be right",
  (url) => {
    expect(plainHttpProblem(url)).toContain(`PUBLIC_URL is ${url}, which is not encrypted`);
    expect(plainHttpProblem(url)).toContain(`set PUBLIC_URL=https://${new URL(url).hostname}`);
  },
);

test.each(["https://pay.example.com", "http://localhost:3000", "http://127.0.0.1:3000", "http://192.168.1.5:3000"])(
  "%s is not reported",
  (url) => {
    expect(plainHttpProblem(url)).toBeNull();
  },
);
