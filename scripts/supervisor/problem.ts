/** A problem that the operator can solve, with a message for them. Any other thrown error is a defect. */
export class StartProblem extends Error {
  override readonly name = "StartProblem";
}
