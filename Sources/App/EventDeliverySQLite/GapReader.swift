/// Reads what can be read of a table with damaged pages: from the start, from the end, and then from places in each part
/// that is not read yet, again and again.
struct GapReader {
    /// How many places are tried.
    static let maximumProbes = 4_000
    /// How far behind the last readable place it looks if the end cannot be read.
    static let trailing: Int64 = 1_024

    /// Reads the rows of a range up to the first damage, upwards or downwards.
    ///
    /// Returns, going up, the first number that is not read, and going down, the number after the last that is not read. That
    /// is the end of the range if there was no damage.
    private let scan: (_ range: Range<Int64>, _ isForward: Bool) -> Int64
    private var gaps: [Range<Int64>] = []
    private(set) var probes = 0

    init(scan: @escaping (_ range: Range<Int64>, _ isForward: Bool) -> Int64) { self.scan = scan }

    mutating func readAll(_ all: Range<Int64>) {
        let upper = scan(all, true)
        guard upper < all.upperBound else { return }
        let lower = scan(upper + 1..<all.upperBound, false)
        if lower < all.upperBound { add(upper + 1, lower - 1) } else { stepUp(from: upper, to: all.upperBound) }
        // The oldest gap first, so that all get narrower in turn.
        var next = 0
        while next < gaps.count, probes < GapReader.maximumProbes {
            let gap = gaps[next]
            next += 1
            narrow(gap)
        }
    }

    /// Looks for readable places with growing steps from both ends, because a gap of the numbers can be much wider than the
    /// damaged page in which it is. Where there are none, each step is a part of its own.
    private mutating func narrow(_ gap: Range<Int64>) {
        let width = gap.upperBound - gap.lowerBound
        var places: [Int64] = []
        var step: Int64 = 1
        while step <= width / 2 {
            places += [gap.lowerBound + step, gap.upperBound - step]
            step *= 2
        }
        if places.isEmpty { places = [gap.lowerBound] }
        var (start, end) = (gap.lowerBound, gap.upperBound)
        for place in places where place >= start && place < end && probes < GapReader.maximumProbes {
            let (lower, upper) = probe(place, in: start..<end)
            if lower <= start && upper >= end { return }
            if lower <= start && place > start {
                // Everything below is read.
                start = upper + 1
            } else if upper >= end {
                end = lower - 1
            } else if lower < place || upper > place {
                add(start, lower - 1)
                return add(upper + 1, end)
            }
        }
        guard (start, end) == (gap.lowerBound, gap.upperBound) else { return add(start, end) }
        // Neither the number at a place nor the one before it can be read.
        for place in places.sorted() {
            add(start, place - 1)
            start = place + 1
        }
        add(start, end)
    }

    /// The end cannot be read: looks for readable places with growing steps.
    private mutating func stepUp(from start: Int64, to end: Int64) {
        // Cannot be read.
        var top = start
        var step: Int64 = 1
        while step < end - top, probes < GapReader.maximumProbes {
            let place = top + step
            let (lower, upper) = probe(place, in: top + 1..<end)
            if upper == end { return add(top + 1, lower - 1) }
            if upper > place {
                add(top + 1, lower - 1)
                (top, step) = (upper, 1)
                continue
            }
            if lower < place {
                add(top + 1, lower - 1)
                top = place
            }
            step *= 2
        }
        add(top + 1, min(end, top + GapReader.trailing))
    }

    private mutating func probe(_ place: Int64, in gap: Range<Int64>) -> (lower: Int64, upper: Int64) {
        probes += 1
        return (scan(gap.lowerBound..<place, false), scan(place..<gap.upperBound, true))
    }

    private mutating func add(_ lower: Int64, _ upper: Int64) {
        if lower < upper { gaps.append(lower..<upper) }
    }
}
