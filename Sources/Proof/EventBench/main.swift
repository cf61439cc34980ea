// Measures the queue of EventDelivery, and prints one line of JSON for each measure. Run a release build, on one core.
//
// apns-event-bench [queue|flush...]: only these measures; all if none is named.
import Foundation

let measures: [(name: String, run: @Sendable () async throws -> Void)] = [
    ("queue", QueueMeasure.measure), ("flush", FlushMeasure.measure),
]
let wanted = Set(CommandLine.arguments.dropFirst())
for measure in measures where wanted.isEmpty || wanted.contains(measure.name) { try await measure.run() }
