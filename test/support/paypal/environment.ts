/** The credentials of the one account that the tests have at their PayPal; empty where no PayPal runs for them. */
export const paypalEnvironment = (url = process.env.TEST_PAYPAL): Record<string, string> =>
  url ? { PAYPAL_URL: url, PAYPAL_CLIENT_ID: 'test-client', PAYPAL_CLIENT_SECRET: 'test-secret' } : {}
