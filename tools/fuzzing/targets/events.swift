// The event stream of a device. The file of the parser is compiled together with this one.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEvents(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
    var whole = EventStreamParser()
    guard let events = try? whole.receive(bytes) else { return 0 }
    // The same events, wherever the bytes are cut.
    var cut = EventStreamParser()
    var found: [EventStreamParser.Event] = []
    let size = max(Int(bytes.first ?? 1) % 17, 1)
    for start in stride(from: 0, to: bytes.count, by: size) {
        guard let more = try? cut.receive(bytes[start..<min(start + size, bytes.count)]) else {
            preconditionFailure("cutting the bytes makes an error")
        }
        found += more
    }
    precondition(found == events, "cutting the bytes changes the events")
    return 0
}
