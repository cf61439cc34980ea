// Measures the work of the app libraries, and prints one line of JSON for each measure. tools/bench/sync runs a release build.
//
// apns-sync-bench [MEASURE...]: only these measures, such as `dispatch`; all if none is named.
import Foundation

let measures: [(name: String, run: @Sendable () async throws -> Void)] = [
    ("memory", MemoryMeasure.measure), ("gather", GatherMeasure.measure), ("dispatch", DispatchMeasure.measure),
    ("merge", MergeMeasure.measure), ("regular", RegularSyncMeasure.measure),
    ("query", QueryMeasure.measure),
]
let wanted = Set(CommandLine.arguments.dropFirst())
for measure in measures where wanted.isEmpty || wanted.contains(measure.name) { try await measure.run() }
