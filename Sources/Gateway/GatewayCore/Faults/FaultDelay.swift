package import APNSModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A delay. Milliseconds throughout.
package enum FaultDelay: Hashable, Sendable, Codable {
    case fixed(Int64)
    /// A random delay in the range, equally distributed.
    case uniform(ClosedRange<Int64>)
    /// A random delay: half of them are below `median`; `sigma` is the standard deviation of the logarithm.
    case logNormal(median: Int64, sigma: Double)
    /// The delay never ends.
    case never

    /// Up to 30 days; longer random delays are clamped to it.
    package static let range: ClosedRange<Int64> = 0...2_592_000_000
    package static let sigmaRange: ClosedRange<Double> = 0...5

    /// - Returns: Nil for `never`.
    package func milliseconds(using generator: inout SeededGenerator) -> Int64? {
        switch self {
        case .fixed(let length): return length
        case .uniform(let range): return Int64.random(in: range, using: &generator)
        case .logNormal(let median, let sigma):
            // Box and Muller's method. The first number is above 0, so that it has a logarithm.
            let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &generator))).squareRoot()
            let normal = radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
            let length = Double(median) * exp(sigma * normal)
            return Int64(min(length, Double(FaultDelay.range.upperBound)).rounded())
        case .never: return nil
        }
    }
}
