"""Section 3.1 and Appendix A of the paper, executable: programs of single agents that know only their neighbours."""
