// Measures the simulated decision service and the app library Personalization, and prints one line of JSON for each measure.
// Run a release build.
//
// apns-personalization-bench [decide|take-in|store|cached...]: measures in this process, without a network; all if none is named.
// apns-personalization-bench serve: a service for a client; prints its address and ends when its input ends.
// apns-personalization-bench load URL SOURCE-ID: asks that service over HTTP, and prints the rates.
// apns-personalization-bench flush URL SOURCE-ID: sends 100,000 kept events of an app to that service.
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "serve": try await NetworkMeasure.serve()
case "load" where arguments.count == 3: try NetworkMeasure.load(url: arguments[1], source: arguments[2])
case "flush" where arguments.count == 3: try await ClientMeasure.flush(url: arguments[1], source: arguments[2])
default:
    let measures: [(name: String, run: @Sendable () async throws -> Void)] = [
        ("decide", WorldMeasure.decide), ("take-in", WorldMeasure.takeIn), ("store", WorldMeasure.store),
        ("cached", ClientMeasure.cached),
    ]
    for measure in measures where arguments.isEmpty || arguments.contains(measure.name) { try await measure.run() }
}
