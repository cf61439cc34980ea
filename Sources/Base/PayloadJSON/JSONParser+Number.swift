extension JSONParser {
    /// The end and kind of the number at `start`, which is a digit or a minus sign. A number may be of any size.
    func endOfNumber(at start: Int) throws(JSONSyntaxError) -> (end: Int, kind: JSONKind) {
        var position = start
        if base[position] == UInt8(ascii: "-") {
            position += 1
            guard position < count else { throw error(.unexpectedEnd, at: position) }
            if base[position] == UInt8(ascii: "I") || base[position] == UInt8(ascii: "N") {
                throw error(.notANumber, at: start)
            }
        }
        let firstDigit = position
        position = try endOfDigits(at: position)
        if base[firstDigit] == UInt8(ascii: "0"), position > firstDigit + 1 {
            throw error(.leadingZero, at: firstDigit)
        }
        guard position < count, base[position] == UInt8(ascii: ".") || base[position] | 0x20 == UInt8(ascii: "e") else {
            return (position, .integer)
        }
        if base[position] == UInt8(ascii: ".") { position = try endOfDigits(at: position + 1) }
        if position < count, base[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < count, base[position] == UInt8(ascii: "+") || base[position] == UInt8(ascii: "-") {
                position += 1
            }
            position = try endOfDigits(at: position)
        }
        return (position, .fraction)
    }

    /// The position after one or more digits.
    @inline(__always)
    private func endOfDigits(at start: Int) throws(JSONSyntaxError) -> Int {
        var position = start
        while position < count, base[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        guard position > start else {
            throw error(position < count ? .missingDigits : .unexpectedEnd, at: position)
        }
        return position
    }
}
