import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'

// What any function on this table loads at least: the bench compares the imports of ours with it.

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}))

export const handler = async ({ pk, sk }: { pk: string; sk: string }) => {
  const { Item } = await documents.send(new GetCommand({ TableName: process.env.TABLE_NAME, Key: { pk, sk } }))
  return { statusCode: Item ? 200 : 404, body: JSON.stringify(Item ?? {}) }
}
