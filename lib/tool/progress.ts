import { progress } from '@clack/prompts'

/** Shows the progress of a long task: a bar on a terminal, else a line at every tenth. */
export const progressBar = (
  title: string,
): { update(done: number, total: number): void; stop(message: string): void } => {
  if (!process.stdout.isTTY) return plainProgress(title)
  let bar: ReturnType<typeof progress> | undefined
  let shown = 0
  return {
    update: (done, total) => {
      if (!bar) {
        bar = progress({ max: total })
        bar.start(title)
      }
      bar.advance(done - shown, `${title}: ${done} of ${total}`)
      shown = done
    },
    stop: message => (bar ? bar.stop(message) : process.stdout.write(`${message}\n`)),
  }
}

const plainProgress = (title: string) => {
  let tenth = -1
  return {
    update: (done: number, total: number) => {
      const now = Math.floor((done * 10) / Math.max(1, total))
      if (now === tenth) return
      tenth = now
      process.stdout.write(`${title}: ${done} of ${total}\n`)
    },
    stop: (message: string) => {
      process.stdout.write(`${message}\n`)
    },
  }
}
