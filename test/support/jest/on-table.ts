// Tests of the domain package run on a table alone: the one that domain-setup.ts started, or the mutation run.
Object.assign(process.env, JSON.parse(process.env.DOMAIN_TABLE ?? '{}'))
