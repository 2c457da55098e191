import { policySignature, signedFields } from '../../shared/platform/files/upload-form.ts'

// The example of the S3 API reference, "Browser-based upload using HTTP POST", with line ends as in the document.
const policy = `{ "expiration": "2015-12-30T12:00:00.000Z",
  "conditions": [
    {"bucket": "sigv4examplebucket"},
    ["starts-with", "$key", "user/user1/"],
    {"acl": "public-read"},
    {"success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"},
    ["starts-with", "$Content-Type", "image/"],
    {"x-amz-meta-uuid": "14365123651274"},
    {"x-amz-server-side-encryption": "AES256"},
    ["starts-with", "$x-amz-meta-tag", ""],

    {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"},
    {"x-amz-algorithm": "AWS4-HMAC-SHA256"},
    {"x-amz-date": "20151229T000000Z" }
  ]
}`.replaceAll('\n', '\r\n')

const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const now = Date.parse('2026-11-26T01:02:03.456Z')
const upload = { bucket: 'files', key: 'uploads/1/a', type: 'image/png', bytes: 70 }
const signed = (sessionToken?: string) =>
  signedFields(
    upload,
    { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey, sessionToken },
    { region: 'eu-central-1', now, seconds: 600 },
  )

test('a policy has the signature of AWS’s example', () => {
  const text = Buffer.from(policy).toString('base64')
  expect(policySignature(text, secretAccessKey, '20151229/us-east-1/s3/aws4_request')).toBe(
    '8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e',
  )
})

test('a form is bound to bucket, key, type and size for its time, and each field has a condition', () => {
  const { policy: text = '', 'x-amz-signature': signature, ...fields } = signed()
  const credential = 'AKIAIOSFODNN7EXAMPLE/20261126/eu-central-1/s3/aws4_request'
  expect(fields).toEqual({
    key: 'uploads/1/a',
    'Content-Type': 'image/png',
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': credential,
    'x-amz-date': '20261126T010203Z',
  })
  expect(JSON.parse(Buffer.from(text, 'base64').toString())).toEqual({
    expiration: '2026-11-26T01:12:03.456Z',
    conditions: [
      { bucket: 'files' },
      ['eq', '$key', 'uploads/1/a'],
      ['eq', '$Content-Type', 'image/png'],
      ['eq', '$x-amz-algorithm', 'AWS4-HMAC-SHA256'],
      ['eq', '$x-amz-credential', credential],
      ['eq', '$x-amz-date', '20261126T010203Z'],
      ['content-length-range', 70, 70],
    ],
  })
  expect(signature).toMatch(/^[0-9a-f]{64}$/)
})

test('the session token of a role is a field with a condition', () => {
  const { policy: text = '', 'x-amz-security-token': token } = signed('a token')
  expect(token).toBe('a token')
  expect(Buffer.from(text, 'base64').toString()).toContain('["eq","$x-amz-security-token","a token"]')
})
