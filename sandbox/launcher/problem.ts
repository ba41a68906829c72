/** Something a person can put right, in words for them; anything else thrown is a defect. */
export class SandboxProblem extends Error {
  override readonly name = "SandboxProblem";
}
