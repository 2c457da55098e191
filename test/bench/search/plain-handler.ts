import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'

// The minimum that a function on this table loads; the bench compares our imports with it.

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}))

export const handler = async ({ pk, sk }: { pk: string; sk: string }) => {
  const { Item } = await documents.send(new GetCommand({ TableName: process.env.TABLE_NAME, Key: { pk, sk } }))
  return { statusCode: Item ? 200 : 404, body: JSON.stringify(Item ?? {}) }
}
