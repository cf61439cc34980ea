// Measures the simulated decision service, and prints one line of JSON for each measure. Run a release build.
//
// apns-personalization-bench [decide|take-in|store...]: measures in this process, without a network; all if none is named.
// apns-personalization-bench serve: a service for a client; prints its address and ends when its input ends.
// apns-personalization-bench load URL SOURCE-ID: asks that service over HTTP, and prints the rates.
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "serve": try await NetworkMeasure.serve()
case "load" where arguments.count == 3: try NetworkMeasure.load(url: arguments[1], source: arguments[2])
default:
    let measures: [(name: String, run: () throws -> Void)] = [
        ("decide", WorldMeasure.decide), ("take-in", WorldMeasure.takeIn), ("store", WorldMeasure.store),
    ]
    for measure in measures where arguments.isEmpty || arguments.contains(measure.name) { try measure.run() }
}
