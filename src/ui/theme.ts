type Paint = (text: string) => string

/** Colours by meaning; every function returns the text unchanged where colour is off. */
export interface Theme {
  readonly heading: Paint
  readonly name: Paint
  readonly good: Paint
  readonly bad: Paint
  readonly caution: Paint
  readonly faint: Paint
  readonly place: Paint
}

const same: Paint = (text) => text

/** The theme of piped output and of `--no-color`. */
export const plainTheme: Theme = {
  heading: same,
  name: same,
  good: same,
  bad: same,
  caution: same,
  faint: same,
  place: same,
}

/** Loads the colours only where they will be seen: chalk costs as much as a small command. */
export async function loadTheme(color: boolean): Promise<Theme> {
  if (!color) return plainTheme
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level: 1 })
  return {
    heading: (text) => chalk.bold(text),
    name: (text) => chalk.cyan(text),
    good: (text) => chalk.green(text),
    bad: (text) => chalk.red(text),
    caution: (text) => chalk.yellow(text),
    faint: (text) => chalk.dim(text),
    place: (text) => chalk.magenta(text),
  }
}
