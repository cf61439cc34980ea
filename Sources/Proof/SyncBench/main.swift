// What tools/bench/sync runs: the app libraries' own work, one line of JSON for each measure. A release build.
//
// apns-sync-bench [MEASURE...]: only those, such as `dispatch`; all without a name.
import Foundation

let measures: [(name: String, run: @Sendable () async throws -> Void)] = [
    ("memory", Remembering.measure), ("gather", Gathering.measure), ("dispatch", Dispatching.measure),
    ("merge", Merging.measure), ("regular", RegularSyncing.measure),
]
let wanted = Set(CommandLine.arguments.dropFirst())
for measure in measures where wanted.isEmpty || wanted.contains(measure.name) { try await measure.run() }
