import { test as base, expect } from "@playwright/test";
import { type Announcement, dataFolder, readAnnouncement } from "@/sandbox/announcement";

interface Scenario {
  /** The announcement of the running sandbox. */
  sandbox: Announcement;
  /** A fixture that fails the test if the browser reported a violation of a page's Content-Security-Policy, or a script threw. */
  noComplaints: undefined;
}

/** A browser test on the running sandbox. */
export const test = base.extend<Scenario>({
  sandbox: async ({ browserName: _ }, use) => {
    const sandbox = await readAnnouncement(dataFolder(process.env));
    if (!sandbox) throw new Error("No sandbox is running");
    await use(sandbox);
  },
  noComplaints: [
    async ({ context }, use) => {
      const complaints: string[] = [];
      context.on("console", (message) => {
        if (/content security policy/i.test(message.text())) complaints.push(message.text());
      });
      context.on("weberror", (problem) => complaints.push(String(problem.error())));
      await use(undefined);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
