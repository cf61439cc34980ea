import DER

// Elements in elements, as deep as the bytes say.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDER(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var waiting = [Array(UnsafeRawBufferPointer(start: start, count: count))[...]]
    var elements = 0
    while let bytes = waiting.popLast(), elements < 10_000 {
        var reader = DERReader(bytes)
        do throws(DERReader.Failure) {
            while !reader.isAtEnd {
                let element = try reader.next()
                precondition(element.content.count < bytes.count, "an element is larger than its container")
                elements += 1
                if element.tag & 0x20 != 0 { waiting.append(element.content) }
            }
        } catch {
            if case .malformed(let place) = error {
                precondition((0...count).contains(place), "the place of an error is outside of the bytes")
            }
        }
    }
    return 0
}
