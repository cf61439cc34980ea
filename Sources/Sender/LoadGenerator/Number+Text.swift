extension Double {
    /// The number with exactly `places` digits after the decimal point. A negative number is shown as zero.
    func text(places: Int) -> String {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = Int64(Swift.min(Swift.max(self, 0) * scale, 9e15).rounded())
        guard places > 0 else { return String(scaled) }
        let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: Int64(scale))
        return "\(whole)." + String(fraction).leftPadded(to: places, with: "0")
    }

    /// The number as a rate: whole from 100 on, and with two digits after the point below it unless it is whole.
    var rateText: String { text(places: self >= 100 || self == rounded() ? 0 : 2) }
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }

    func leftPadded(to width: Int, with character: Character = " ") -> String {
        String(repeating: character, count: Swift.max(0, width - count)) + self
    }
}
