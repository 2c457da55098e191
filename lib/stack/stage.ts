import { RemovalPolicy } from 'aws-cdk-lib'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'

/** The differences between deployments. */
export type Stage = {
  name: string
  logRetention: RetentionDays
  /** For the log of the sign-in, which contains addresses of callers. */
  addressRetention: RetentionDays
  logRemoval: RemovalPolicy
  terminationProtection: boolean
  /** Requests per second of each route, and the burst above it. */
  throttle: { rateLimit: number; burstLimit: number }
}

/** Returns a stage by its name; `prod` stores its logs longer and allows more load. Throws for an invalid name. */
export const stageOf = (name: string): Stage => {
  // CloudFormation cuts a stack's name to 24 characters in the names of functions; the API's role relies on the whole name.
  if (!/^[a-z][a-z0-9]{1,12}$/.test(name))
    throw new Error(`stage must be 2 to 13 lower-case letters and digits: ${name}`)
  const prod = name === 'prod'
  return {
    name,
    logRetention: prod ? RetentionDays.SIX_MONTHS : RetentionDays.ONE_MONTH,
    addressRetention: RetentionDays.ONE_MONTH,
    // Except when the first deployment fails: the next deployment creates its own log groups.
    logRemoval: prod ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    terminationProtection: prod,
    throttle: prod ? { rateLimit: 500, burstLimit: 1000 } : { rateLimit: 100, burstLimit: 200 },
  }
}

/** Returns a stage for a deployment. Throws for the twin's stage, in which the sandbox completes payments without money. */
export const deployedStageOf = (name: string): Stage => {
  if (name === 'twin') throw new Error('the stage twin runs on this machine only (npm start); name another')
  return stageOf(name)
}

/**
 * Parses the memory in MB of functions with the index of all public wines. Throws for a size that Lambda does not have.
 */
export const publicSearchMemoryOf = (text: string): number => {
  const memory = Number(text)
  if (Number.isInteger(memory) && memory >= 1024 && memory <= 10_240) return memory
  throw new Error(
    `publicSearch must be MB of memory, from 1024 to 10240, for up to two million wines: ${text}. For more, move public search to Amazon OpenSearch Serverless (lib/stack/OPERATIONS.md, Sizing)`,
  )
}

/** Parses the concurrency of each function that makes pictures or sheets. Throws for an invalid number. */
export const fileConcurrencyOf = (text: string): number => {
  const runs = Number(text)
  if (Number.isInteger(runs) && runs >= 1 && runs <= 1000) return runs
  throw new Error(`fileConcurrency must be a whole number from 1 to 1000: ${text}`)
}

/** Parses an https origin, without its last slash. Throws for any other text. */
export const baseUrlOf = (text: string): string => {
  const url = URL.parse(text)
  if (url?.protocol === 'https:' && (text === url.origin || text === `${url.origin}/`)) return url.origin
  throw new Error(`baseUrl must be an origin such as https://wine.example: ${text}`)
}

export const alarmMailOf = (text: string): string => {
  if (text.length <= 254 && /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/.test(text)) return text
  throw new Error(`alarmMail must be one mail address: ${text}`)
}

/** Parses US dollars a month. Throws for an invalid amount, and without a mail address. */
export const monthlyBudgetOf = (text: string, alarmMail: string | undefined): number => {
  const amount = Number(text)
  if (!Number.isInteger(amount) || amount < 1 || amount > 1_000_000)
    throw new Error(`monthlyBudget must be whole US dollars, from 1 to 1000000: ${text}`)
  if (!alarmMail) throw new Error('monthlyBudget needs an alarmMail')
  return amount
}

/** True for `together`: one statement for all verbs. `apart`, the default, is a statement a verb. */
export const isTogether = (leadingKeys = 'apart'): boolean => {
  if (leadingKeys === 'apart' || leadingKeys === 'together') return leadingKeys === 'together'
  throw new Error(`leadingKeys must be apart or together: ${leadingKeys}`)
}
