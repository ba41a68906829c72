/** Something a person can put right, in words for them; anything else thrown is a defect. */
export class StartProblem extends Error {
  override readonly name = "StartProblem";
}
