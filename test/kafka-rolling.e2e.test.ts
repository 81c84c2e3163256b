// The same rollouts over a real Kafka: partitions go from member to member and come back. Needs Java and Maven (test/run.mjs).
import { tellRollouts } from './rolling/story.js'

tellRollouts('kafka', 10)
