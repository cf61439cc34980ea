// Parses every line of a file with Foundation's JSONSerialization and does nothing with it.
import Foundation

guard CommandLine.arguments.count == 3, let rounds = Int(CommandLine.arguments[2]),
    let file = FileManager.default.contents(atPath: CommandLine.arguments[1])
else {
    FileHandle.standardError.write(Data("usage: serialization FILE.ndjson ROUNDS\n".utf8))
    exit(64)
}
let lines = file.split(separator: UInt8(ascii: "\n")).map { Data($0) }
var parsed = 0
let start = ContinuousClock.now
for _ in 0..<rounds {
    for line in lines where (try? JSONSerialization.jsonObject(with: line)) != nil { parsed += 1 }
}
let took = (ContinuousClock.now - start) / Duration.seconds(1)
print("{\"parsed\":\(parsed),\"refused\":\(rounds * lines.count - parsed),\"seconds\":\(took)}")
