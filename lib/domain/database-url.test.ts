import { expect, test } from "vitest";
import { credentialsOf, isDatabaseUrl, serverNames, serverUrls, withCredentials } from "@/lib/domain/database-url";

test("a URL of several servers is one of each, with the same person, database and options", () => {
  expect(serverUrls("postgres://u:p%2C@a.example:5432,b.example,[::1]:5433/shop?sslmode=require")).toEqual([
    "postgres://u:p%2C@a.example:5432/shop?sslmode=require",
    "postgres://u:p%2C@b.example/shop?sslmode=require",
    "postgres://u:p%2C@[::1]:5433/shop?sslmode=require",
  ]);
  expect(serverUrls("postgres://u:a,b@one/shop?options=x,y")).toEqual(["postgres://u:a,b@one/shop?options=x,y"]);
  expect(serverNames("postgres://u:p@a:5432,b:5433/shop")).toBe("a:5432, b:5433");
});

test("every one of them must be a server", () => {
  expect(isDatabaseUrl("postgres://u:p@a:5432,b:5432/shop")).toBe(true);
  expect(isDatabaseUrl("postgresql://localhost/shop")).toBe(true);
  for (const invalid of [
    "postgres://u:p@a:5432,/shop",
    "postgres://u:p@a:x,b/shop",
    "mysql://a,b/shop",
    "a:5432,b:5432",
  ])
    expect(isDatabaseUrl(invalid), invalid).toBe(false);
});

test("a URL of one server or several can sign in as another role", () => {
  const role = { user: "the app", password: "p@ss/word:1" };
  for (const cursor of ["a.example:5432/shop", "a:5432,b:5433/shop?sslmode=require", "[::1]/shop"]) {
    const url = withCredentials(`postgres://owner:old%2C@${cursor}`, role);
    expect(url).toBe(`postgres://the%20app:p%40ss%2Fword%3A1@${cursor}`);
    expect(withCredentials(`postgres://${cursor}`, role)).toBe(url);
    expect(credentialsOf(url)).toEqual(role);
  }
  expect(credentialsOf("postgres://owner@a/shop")).toEqual({ user: "owner", password: null });
  expect(credentialsOf("postgres://a/shop")).toEqual({ user: "", password: null });
});
