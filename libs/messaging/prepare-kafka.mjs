// Fills the cache of the test broker (Java 17 and Maven), so that no test waits for a download: `npm run -s prepare-kafka -w libs/messaging`.
import { prepareKafka } from './test/kafka-broker-fixture.ts'

await prepareKafka()
