/// How the lines of a batch are divided into jobs.
package enum JobChunks {
    /// The lines of each job, in their order: at most `chunk`, and no more bytes than a worker reads in a job. Only a line that
    /// alone is larger makes a larger job.
    ///
    /// - Parameter lengths: The bytes of each line, without its line end.
    package static func ranges(of lengths: [Int], chunk: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (start, bytes) = (0, 0)
        for (index, length) in lengths.enumerated() {
            // A line feed stands between two lines.
            if index > start, index - start >= chunk || bytes + 1 + length > JobReader.maximumBytes {
                ranges.append(start..<index)
                (start, bytes) = (index, 0)
            }
            bytes += index > start ? 1 + length : length
        }
        if start < lengths.count { ranges.append(start..<lengths.count) }
        return ranges
    }
}
