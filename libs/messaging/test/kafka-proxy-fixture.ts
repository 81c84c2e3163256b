// A proxy between clients and the test broker that simulates network faults. Identifies a client by the id in its first request.
// `const proxy = createKafkaProxy(); const kafka = await startKafkaBroker({ proxy: proxy.listen })`
import { connect, createServer, type Socket } from 'node:net'

interface Pair {
  client: Socket
  broker: Socket
  clientId: string | undefined
  /** Ends with the next answer, which is lost. */
  isLosing?: boolean
}

export function createKafkaProxy() {
  const pairs = new Set<Pair>()
  const banned = new Set<string>()
  const losing = new Set<string>()
  let isDown = false
  let swallowsAnswers = false
  let target = 0

  const server = createServer((client) => {
    const broker = connect(target, '127.0.0.1')
    const pair: Pair = { client, broker, clientId: undefined }
    pairs.add(pair)
    const end = () => endPair(pair)
    if (isDown) return end()
    client.on('data', (bytes) => {
      pair.clientId ??= clientIdOf(bytes)
      if (losing.delete(`${pair.clientId} ${bytes.readInt16BE(4)}`)) pair.isLosing = true
      if (banned.has(pair.clientId)) end()
      else broker.write(bytes)
    })
    broker.on('data', (bytes) => {
      if (pair.isLosing) end()
      else if (!swallowsAnswers) client.write(bytes)
    })
    for (const socket of [client, broker]) socket.on('error', end).on('close', end)
  })

  function endPair(pair: Pair): void {
    pairs.delete(pair)
    pair.client.destroy()
    pair.broker.destroy()
  }

  return {
    /** Listens in front of `port`. @returns the port for clients */
    async listen(port: number): Promise<number> {
      target = port
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return (server.address() as { port: number }).port
    },
    /** Closes every connection; new connections are accepted. */
    cut: (): void => pairs.forEach(endPair),
    /** Closes the connections of one client and accepts no more of them, as if its machine had failed. */
    ban(clientId: string): void {
      banned.add(clientId)
      for (const pair of pairs) if (pair.clientId === clientId) endPair(pair)
    },
    /** The broker handles the next request `api` of the client (its key in the protocol of Kafka), and the connection ends before the answer. */
    loseAnswer: (clientId: string, api: number): void => void losing.add(`${clientId} ${api}`),
    /** Closes every connection and accepts none until `up`. */
    down(): void {
      isDown = true
      pairs.forEach(endPair)
    },
    up: (): void => void (isDown = false),
    /** If true, the proxy forwards requests to the broker and drops the answers. */
    swallowAnswers: (yes: boolean): void => void (swallowsAnswers = yes),
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      pairs.forEach(endPair)
      await closed
    },
  }
}

/** Layout of a request header: length (4), key (2), version (2), correlation id (4), then the length of the client id (2) and the id. */
function clientIdOf(request: Buffer): string {
  return request.subarray(14, 14 + request.readInt16BE(12)).toString()
}
