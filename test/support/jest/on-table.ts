import { useTable } from '../table.ts'

// Each file of the domain package's tests has a table of its own; domain-setup.ts, or the mutation run, started DynamoDB.
await useTable(JSON.parse(process.env.DOMAIN_TABLE ?? '{}'))
