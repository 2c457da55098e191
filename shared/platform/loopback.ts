const hosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a URL leads to the machine that it is opened on. */
export const isLoopback = ({ hostname }: URL): boolean => hosts.has(hostname)
