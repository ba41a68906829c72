import { takeOverOutput } from "@/lib/output/log-lines.mjs";
import { listenForControl } from "@/scripts/release/control";
import { holdSocket } from "@/scripts/release/held-socket";
import { currentRelease, homeOf, readSettings, stateFolder } from "@/scripts/release/home";
import { ReleaseSwitch } from "@/scripts/release/release-switch";
import { StartProblem } from "@/scripts/supervisor/problem";
import { reportReady } from "@/scripts/supervisor/service-manager";

/**
 * `./stablegate`: runs the current release of an unpacked package in live mode until a signal. This process imports as little as possible,
 * because it runs all the time. It holds the port, so that `./stablegate upgrade` can replace the release without refusing a connection.
 */
async function main(): Promise<void> {
  const home = homeOf(process.env);
  const settings = readSettings(home, process.env);
  takeOverOutput("start", settings, Date.now);
  const socket = await holdSocket(settings);
  const releases = new ReleaseSwitch({ home, socket, print, onEnd: (code) => void end(code) });
  const control = await listenForControl(stateFolder(home, settings), (request) => releases.replace(request)).catch(
    (error: Error) => void complain(`./stablegate upgrade cannot reach this process: ${error.message}`),
  );
  let isEnding = false;
  async function end(code: number): Promise<void> {
    if (isEnding) return;
    isEnding = true;
    await releases.stop();
    await control?.close();
    process.exit(code);
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(0));
  const ignoresHangup = process.env["STABLEGATE_IGNORES_SIGHUP"] === "1";
  process.on("SIGHUP", () => void (ignoresHangup || end(0)));
  await releases.begin(await currentRelease(home)).started;
  reportReady(process.env);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}

await main().catch((error: unknown) => {
  complain(error instanceof StartProblem ? error.message : String(error));
  process.exit(1);
});
